//! The names of all keys of a JSON document, in the order in which they stand there. A parsed `Value` would sort them.

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// `a`, `a.b`, ..: each once, where it stands first. Elements of an array share the path of the array.
pub fn keys(json: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut reader = serde_json::Deserializer::from_str(json);
    Walk { path: String::new(), found: &mut found }.deserialize(&mut reader).expect("it is JSON");
    found
}

struct Walk<'a> {
    path: String,
    found: &'a mut Vec<String>,
}

impl Walk<'_> {
    fn below(&mut self, path: String) -> Walk<'_> {
        Walk { path, found: self.found }
    }

    fn key(&mut self, name: &str) -> String {
        let path = if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) };
        if !self.found.contains(&path) {
            self.found.push(path.clone());
        }
        path
    }
}

impl<'de> DeserializeSeed<'de> for Walk<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Walk<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        while let Some(name) = map.next_key::<String>()? {
            let path = self.key(&name);
            map.next_value_seed(self.below(path))?;
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<(), A::Error> {
        loop {
            let path = self.path.clone();
            if items.next_element_seed(self.below(path))?.is_none() {
                return Ok(());
            }
        }
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }
}

#[test]
fn keys_stand_in_the_order_of_the_text() {
    assert_eq!(keys(r#"{"b":1,"a":[{"y":null},{"y":true,"x":"z"}]}"#), ["b", "a", "a.y", "a.x"]);
}
