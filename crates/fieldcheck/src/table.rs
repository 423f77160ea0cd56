//! Tables for people: columns as wide as their widest cell, numbers to the right, no trailing blanks.

use std::fmt::{self, Display, Formatter};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    Left,
    Right,
}

pub struct Table {
    columns: Vec<(&'static str, Align)>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub fn new(columns: &[(&'static str, Align)]) -> Table {
        Table { columns: columns.to_vec(), rows: Vec::new() }
    }

    pub fn row(&mut self, cells: Vec<String>) {
        assert_eq!(cells.len(), self.columns.len(), "a cell for each column");
        self.rows.push(cells);
    }

    /// The same for a page of the documentation.
    pub fn markdown(&self) -> String {
        let line = |cells: &mut dyn Iterator<Item = String>| format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "));
        let names = line(&mut self.columns.iter().map(|(name, _)| name.to_string()));
        let rule = self.columns.iter().map(|(_, align)| if *align == Align::Left { "---|" } else { "---:|" });
        let rows = self.rows.iter().map(|row| line(&mut row.iter().map(|cell| cell.replace('|', "\\|"))));
        format!("{names}|{}\n{}", rule.collect::<String>(), rows.collect::<String>())
    }

    fn width(&self, column: usize) -> usize {
        let cells = self.rows.iter().map(|row| row[column].chars().count());
        cells.chain([self.columns[column].0.chars().count()]).max().unwrap_or(0)
    }

    fn line<'a>(&self, cells: impl Iterator<Item = &'a str>) -> String {
        let padded = cells.zip(&self.columns).enumerate().map(|(at, (cell, (_, align)))| {
            let width = self.width(at);
            match align {
                Align::Left => format!("{cell:<width$}"),
                Align::Right => format!("{cell:>width$}"),
            }
        });
        padded.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    }
}

impl Display for Table {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.line(self.columns.iter().map(|(name, _)| *name)))?;
        for row in &self.rows {
            writeln!(f, "{}", self.line(row.iter().map(String::as_str)))?;
        }
        Ok(())
    }
}

/// `3 of 4 (75%)`.
pub fn share(part: usize, whole: usize) -> String {
    match whole {
        0 => "-".to_owned(),
        _ => format!("{part} of {whole} ({})", percent(part, whole)),
    }
}

pub fn percent(part: usize, whole: usize) -> String {
    match whole {
        0 => "-".to_owned(),
        _ => format!("{:.0}%", 100.0 * part as f64 / whole as f64),
    }
}

/// How often something occurs in 10,000 lines, which is how the literature counts.
pub fn density(count: usize, lines: usize) -> String {
    match lines {
        0 => "-".to_owned(),
        _ => format!("{:.2}", 10_000.0 * count as f64 / lines as f64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let mut table = Table::new(&[("name", Align::Left), ("lines", Align::Right), ("x", Align::Left)]);
        table.row(vec!["bb8".into(), "1393".into(), String::new()]);
        table.row(vec!["tokio-é".into(), "91568".into(), "y".into()]);
        assert_eq!(table.to_string(), "name     lines  x\nbb8       1393\ntokio-é  91568  y\n");
    }

    #[test]
    fn the_same_table_for_a_page() {
        let mut table = Table::new(&[("name", Align::Left), ("lines", Align::Right)]);
        table.row(vec!["a | b".into(), "1".into()]);
        assert_eq!(table.markdown(), "| name | lines |\n|---|---:|\n| a \\| b | 1 |\n");
    }

    #[test]
    fn numbers_of_nothing_are_dashes() {
        assert_eq!([share(0, 0), percent(0, 0), density(0, 0)], ["-", "-", "-"]);
        assert_eq!([share(3, 4), percent(2, 3), density(48, 615_385)], ["3 of 4 (75%)", "67%", "0.78"]);
    }
}
