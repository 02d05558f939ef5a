# Reads the operations of the contract, and converts rows to typed columns.

contract <- new.env(parent = emptyenv())

# Returns what operations.json says of an operation. The file is read at the first call.
operation_of <- function(name) {
  if (is.null(contract$operations)) {
    file <- system.file("operations.json", package = "idsclient")
    contract$operations <- jsonlite::fromJSON(file, simplifyVector = FALSE)
  }
  contract$operations[[name]]
}

read_json <- function(client, name, arguments) {
  operation <- operation_of(name)
  placed <- place(operation$path, arguments)
  response <- send_read(client, placed$path, placed$query, "application/json")
  data <- jsonlite::fromJSON(body_text(response), simplifyVector = FALSE)
  structure(data, provenance = provenance_of(response, operation$sources))
}

read_table <- function(client, name, arguments, rows = NULL, all = FALSE) {
  operation <- operation_of(name)
  if (is.null(rows)) rows <- names(operation$tables)[1]
  columns <- operation$tables[[rows]]
  if (is.null(columns)) {
    stop("rows must be one of: ", paste(names(operation$tables), collapse = ", "))
  }
  placed <- place(operation$path, arguments)
  query <- c(placed$query, list(format = "ndjson", rows = rows))
  is_paged <- rows == names(operation$tables)[1]
  # A key permits one file of all pages, which are of one state of the data.
  in_one <- all && is_paged && isTRUE(operation$whole) && nzchar(client$key)
  if (in_one) query$all <- "true"
  pages <- list()
  repeat {
    response <- send_read(client, placed$path, query, "application/x-ndjson")
    pages <- c(pages, list(rows_of(response)))
    following <- header(response, "X-Next-Cursor")
    if (!all || !is_paged || is.na(following)) break
    if (identical(following, query[[operation$cursor]])) stop("A page of ", name, " leads to itself")
    query[[operation$cursor]] <- following
  }
  found <- do.call(c, pages)
  cells <- lapply(names(columns), function(column) column_of(found, column, columns[[column]]))
  names(cells) <- names(columns)
  table <- tibble::new_tibble(cells, nrow = length(found))
  described <- provenance_of(response, operation$sources)
  attr(table, "provenance") <- c(described, list(next_cursor = following))
  table
}

# Divides arguments into those of the path and those of the query.
place <- function(path, arguments) {
  for (name in names(arguments)) {
    slot <- paste0("{", name, "}")
    if (!grepl(slot, path, fixed = TRUE)) next
    path <- sub(slot, encoded(parameter_text(arguments[[name]])), path, fixed = TRUE)
    arguments[name] <- NULL
  }
  list(path = path, query = arguments)
}

rows_of <- function(response) {
  lines <- strsplit(body_text(response), "\n", fixed = TRUE)[[1]]
  jsonlite::fromJSON(paste0("[", paste(lines, collapse = ","), "]"), simplifyVector = FALSE)
}

# Returns a column with the type of the contract, also if it has no value. Unknown cells are NA.
column_of <- function(rows, name, type) {
  cells <- lapply(rows, function(row) row[[name]])
  if (type == "json") return(cells)
  if (type == "list") return(lapply(cells, unlist))
  cells[vapply(cells, is.null, NA)] <- NA
  values <- unlist(cells)
  switch(type,
    text = as.character(values),
    boolean = as.logical(values),
    integer = as.integer(values),
    number = as.numeric(values),
    milliseconds = as.POSIXct(as.numeric(values) / 1000, origin = "1970-01-01", tz = "UTC"),
    time = time_of(as.character(values)),
    day = as.Date(as.character(values), format = "%Y-%m-%d")
  )
}

# Parses RFC 3339 times and days.
time_of <- function(texts) {
  plain <- sub("([+-]\\d\\d):(\\d\\d)$", "\\1\\2", sub("Z$", "+0000", texts))
  times <- as.POSIXct(strptime(plain, "%Y-%m-%dT%H:%M:%OS%z", tz = "UTC"))
  is_day <- is.na(times) & grepl("^\\d{4}-\\d\\d-\\d\\d$", texts)
  times[is_day] <- as.POSIXct(texts[is_day], format = "%Y-%m-%d", tz = "UTC")
  times
}
