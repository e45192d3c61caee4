// Package files makes files of the report for people who do not speak OData: its rows as an Excel
// workbook or as comma-separated values, and files with which Excel and Power BI read it themselves.
//
// Rows are written as they come: a file takes the same memory however many there are, and nothing of
// it is on a disk of ours.
//
// Decided: docs/choices.md, "Report (A7)".
package files
