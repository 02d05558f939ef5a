# R reads CSV by its metadata and by itself, and says each cell as what it is and the bytes of its text.
folder <- commandArgs(TRUE)[1]
asked <- read.csv(file.path(folder, "asked-of-r.csv"), colClasses = "character")

said <- function(cell) ifelse(is.na(cell), "-", vapply(cell, function(text) {
  paste(format(charToRaw(enc2utf8(text))), collapse = "")
}, "", USE.NAMES = FALSE))

say <- function(file, how, columns) {
  for (name in names(columns)) {
    column <- columns[[name]]
    text <- if (is.numeric(column)) ifelse(is.na(column), NA, sprintf("%.17g", column)) else as.character(column)
    cat(c(file, how, said(name), class(column)[1], said(text)), sep = "\t")
    cat("\n")
  }
}

for (file in unique(asked$file)) {
  path <- file.path(folder, paste0(file, ".csv"))
  classes <- asked$class[asked$file == file]
  read <- function(...) read.csv(path, na.strings = "", check.names = FALSE, encoding = "UTF-8", ...)
  say(file, "told", read(colClasses = classes))
  say(file, "guessed", read())
}
