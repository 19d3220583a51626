/** How a text begins that a spreadsheet runs as a formula, also in full-width forms (T20). */
export const FORMULA = /^[=+\-@＝＋－＠\t\r\n\0]/u;
