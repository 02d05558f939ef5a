# Sends requests to a service, and turns its errors into conditions.

ids_client <- function(url = Sys.getenv("IDS_URL"), key = Sys.getenv("IDS_API_KEY"), timeout = 30, retries = 2) {
  if (!grepl("^https?://", url)) stop("url must start with http:// or https://, such as http://127.0.0.1:8080")
  client <- list(url = sub("/+$", "", url), key = key, timeout = timeout, retries = retries)
  structure(client, class = "ids_client")
}

print.ids_client <- function(x, ...) {
  cat("<ids_client>", x$url, if (nzchar(x$key)) "with a key" else "without a key", "\n")
  invisible(x)
}

provenance <- function(x) attr(x, "provenance")

# Longest wait for a retry in seconds. If the service asks for more, the call fails immediately.
longest_wait <- 60

send_read <- function(client, path, query, accept) {
  if (!inherits(client, "ids_client")) stop("client must be the value of ids_client()")
  request <- httr2::request(paste0(client$url, path, query_text(query)))
  request <- httr2::req_user_agent(request, "ids-r/1.0.0")
  request <- httr2::req_headers(request, Accept = accept)
  if (nzchar(client$key)) request <- httr2::req_headers(request, "X-Service-Key" = client$key)
  # The timeout is the time without data, because a large file may take longer.
  request <- httr2::req_options(
    request,
    connecttimeout = client$timeout, low_speed_limit = 1, low_speed_time = client$timeout
  )
  request <- httr2::req_retry(request, max_tries = client$retries + 1, is_transient = is_transient)
  request <- httr2::req_error(request, is_error = function(response) FALSE)
  response <- httr2::req_perform(request)
  if (httr2::resp_status(response) >= 400) stop(ids_error(response))
  response
}

is_transient <- function(response) {
  advice <- header(response, "X-Should-Retry")
  wait <- suppressWarnings(as.numeric(header(response, "Retry-After")))
  if (!is.na(wait) && wait > longest_wait) return(FALSE)
  if (!is.na(advice)) return(identical(tolower(advice), "true"))
  httr2::resp_status(response) %in% c(408, 429, 500, 502, 503, 504)
}

# Returns a condition of the classes ids_error and ids_error_<status>.
ids_error <- function(response) {
  status <- httr2::resp_status(response)
  body <- tryCatch(jsonlite::fromJSON(body_text(response), simplifyVector = FALSE), error = function(cause) NULL)
  if (!is.list(body)) body <- list()
  violations <- vapply(body$violations, function(each) paste0(each$field, ": ", each$description), "")
  # A list without names must not match a part of a name, so members are read with [[.
  # An operation that needs a higher plan has its message below error.
  error <- if (is.list(body[["error"]])) body[["error"]][["message"]] else body[["error"]]
  said <- c(body[["message"]], error, httr2::resp_status_desc(response))[1]
  if (length(violations) > 0) said <- paste(violations, collapse = "; ")
  request_id <- header(response, "X-Request-Id")
  members <- list(
    message = paste0(status, ": ", said, " (request ", request_id, ")"),
    call = NULL,
    status = status,
    request_id = request_id,
    retry_after = suppressWarnings(as.numeric(header(response, "Retry-After"))),
    body = body
  )
  structure(members, class = c(paste0("ids_error_", status), "ids_error", "error", "condition"))
}

# httr2 rejects an empty body.
body_text <- function(response) {
  if (length(response$body) == 0) "" else httr2::resp_body_string(response, "UTF-8")
}

# Returns a header, or NA if the response does not have it.
header <- function(response, name) {
  value <- httr2::resp_header(response, name)
  if (is.null(value)) NA_character_ else value
}

query_text <- function(query) {
  query <- Filter(Negate(is.null), query)
  pairs <- unlist(Map(function(name, value) paste0(name, "=", encoded(parameter_text(value))), names(query), query))
  if (length(pairs) == 0) "" else paste0("?", paste(pairs, collapse = "&"))
}

encoded <- function(texts) {
  vapply(enc2utf8(texts), utils::URLencode, "", reserved = TRUE, repeated = TRUE, USE.NAMES = FALSE)
}

parameter_text <- function(value) {
  if (inherits(value, "Date")) return(format(value, "%Y-%m-%d"))
  if (inherits(value, "POSIXt")) return(format(value, "%Y-%m-%dT%H:%M:%OS3Z", tz = "UTC"))
  if (is.logical(value)) return(tolower(as.character(value)))
  if (is.numeric(value)) return(vapply(value, format, "", scientific = FALSE, digits = 15))
  as.character(value)
}

# Describes where the data of a response are from.
provenance_of <- function(response, sources) {
  listed <- function(name) {
    value <- header(response, name)
    if (is.na(value)) character() else strsplit(value, ", *")[[1]]
  }
  own <- listed("X-Data-Sources")
  list(
    origin = if (identical(header(response, "X-Data-Origin"), "sample")) "sample" else "live",
    sources = if (length(own) > 0) own else as.character(unlist(sources)),
    updated = time_of(header(response, "X-Updated-At")),
    stale = identical(header(response, "X-Data-Stale"), "true"),
    age = as.numeric(header(response, "X-Data-Age")),
    missing = listed("X-Data-Missing"),
    withheld = listed("X-Data-Withheld"),
    request_id = header(response, "X-Request-Id"),
    url = response$url
  )
}
