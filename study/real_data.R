# Writes the tables of R packages that study/real_data.py reads, as CSV, into the folder that is named.
folder <- commandArgs(trailingOnly = TRUE)[1]

tables <- list(
  mlbench = c("Glass", "Ionosphere", "Vowel", "Satellite", "Shuttle", "LetterRecognition",
              "PimaIndiansDiabetes", "Vehicle", "Sonar", "BostonHousing"),
  robustbase = c("hbk", "wood", "starsCYG", "bushfire", "milk"),
  dslabs = c("reported_heights", "heights", "olive")
)
for (package in names(tables)) {
  for (table in tables[[package]]) {
    data(list = table, package = package)
    write.csv(get(table), file.path(folder, paste0(table, ".csv")), row.names = FALSE)
  }
}
