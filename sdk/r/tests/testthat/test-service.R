service <- function(...) {
  skip_if(Sys.getenv("IDS_URL") == "", "IDS_URL names no service")
  ids_client(...)
}

types <- list(
  text = "character", boolean = "logical", integer = "integer", number = "numeric", milliseconds = "POSIXct",
  time = "POSIXct", day = "Date", list = "list", json = "list"
)

test_that("a table has times in UTC, list columns, and NA for unknown values", {
  outages <- list_internet_outages(service())
  expect_s3_class(outages, "tbl_df")
  expect_gt(nrow(outages), 0)
  # Row names that are not automatic would be shown as a star.
  expect_lt(.row_names_info(outages), 0)
  expect_s3_class(outages$detectedAt, "POSIXct")
  expect_identical(attr(outages$detectedAt, "tzone"), "UTC")
  expect_true(any(is.na(outages$endedAt)))
  expect_false(any(outages$endedAt == as.POSIXct(0, origin = "1970-01-01", tz = "UTC"), na.rm = TRUE))
  expect_type(outages$categories, "list")
  expect_type(outages$categories[[1]], "character")
})

test_that("a table says where its data are from", {
  described <- provenance(list_internet_outages(service()))
  expect_identical(described$origin, "sample")
  expect_true(length(described$sources) > 0)
  expect_s3_class(described$updated, "POSIXct")
  expect_false(is.na(described$updated))
  expect_match(described$request_id, "^[A-Za-z0-9_-]+$")
})

test_that("every page has other rows, and all pages are the whole list with or without a key", {
  client <- service()
  first <- list_conflict_events(client, limit = 40)
  expect_identical(nrow(first), 40L)
  second <- list_conflict_events(client, limit = 40, after = provenance(first)$next_cursor)
  expect_length(intersect(first$id, second$id), 0)
  whole <- list_conflict_events(client, all = TRUE)
  expect_identical(list_conflict_events(service(key = ""), limit = 100, all = TRUE)$id, whole$id)
})

test_that("arguments are sent as the contract has them", {
  client <- service()
  since <- as.Date(max(list_conflict_events(client)$occurredAt)) - 10
  events <- list_conflict_events(client, start = since, event_type = c("battles", "explosions/remote violence"))
  expect_setequal(unique(events$eventType), c("Battles", "Explosions/Remote violence"))
  expect_true(all(events$occurredAt >= as.POSIXct(since, tz = "UTC")))
  later <- as.POSIXct(since, tz = "UTC") + 86400
  expect_true(all(list_conflict_events(client, start = later)$occurredAt >= later))
})

test_that("a table without rows has all columns with their types", {
  events <- list_conflict_events(service(), actor = "no such party")
  expect_identical(nrow(events), 0L)
  expect_s3_class(events$occurredAt, "POSIXct")
  expect_type(events$fatalities, "integer")
})

test_that("a failed read is a condition with the message of the service and the request", {
  failure <- tryCatch(reverse_geocode(service(), lat = 91, lon = 0), ids_error_400 = identity)
  expect_s3_class(failure, "ids_error")
  expect_match(conditionMessage(failure), "lat")
  expect_match(conditionMessage(failure), failure$request_id, fixed = TRUE)
  missing <- tryCatch(list_internet_outages(service(key = "")), ids_error_401 = identity)
  expect_match(conditionMessage(missing), "API key required")
})

test_that("every read that needs no argument but a country returns the columns of the contract", {
  client <- service()
  tables <- 0
  for (name in setdiff(getNamespaceExports("idsclient"), c("ids_client", "provenance"))) {
    read <- getExportedValue("idsclient", name)
    # The default of a required argument is an empty symbol.
    if (sum(vapply(formals(read), identical, NA, quote(expr = ))) > 1) next
    found <- tryCatch(read(client), ids_error = identity)
    if (inherits(found, "ids_error_400") && "country" %in% names(formals(read)))
      found <- tryCatch(read(client, country = "FR"), ids_error = identity)
    if (inherits(found, "ids_error")) {
      expect_true(found$status %in% c(403, 404) || grepl("required", conditionMessage(found)), label = name)
      next
    }
    expect_type(provenance(found)$request_id, "character")
    columns <- operation_of(name)$tables
    if (length(columns) == 0) next
    tables <- tables + 1
    expect_identical(names(found), names(columns[[1]]), label = name)
    for (column in names(found)) expect_true(is(found[[column]], types[[columns[[1]][[column]]]]), label = column)
  }
  expect_gt(tables, 30)
})
