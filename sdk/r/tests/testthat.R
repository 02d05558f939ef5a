library(testthat)
library(idsclient)

test_check("idsclient")
