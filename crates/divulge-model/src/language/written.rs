//! Comparisons of variables in words, which are the names of the properties that they become.

use super::ast::Arith;
use super::scope::{Domain, Scope};
use super::term::Term;

/// No name is longer.
const LONGEST: usize = 60;

impl Scope<'_> {
    /// A comparison as one would write it; `None` if that is too long for a name, or nothing that can be written.
    pub fn written(&self, term: &Term) -> Option<String> {
        let Term::Compare(op, sides) = term else { return None };
        let domain = self.domain_of(&sides.0).or_else(|| self.domain_of(&sides.1));
        let mut text = String::new();
        self.value(&sides.0, domain, 0, &mut text)?;
        text += &format!(" {} ", op.sign());
        self.value(&sides.1, domain, 0, &mut text)?;
        Some(text).filter(|text| text.len() <= LONGEST)
    }

    /// The values of a term that is a variable; numbers need none to be written.
    fn domain_of(&self, term: &Term) -> Option<&Domain> {
        if let Term::Var(v) = term { Some(&self.variables[*v].domain) } else { None }
    }

    /// Writes a value where what binds more loosely than `above` needs parentheses.
    fn value(&self, term: &Term, domain: Option<&Domain>, above: u8, text: &mut String) -> Option<()> {
        if text.len() > LONGEST {
            return None;
        }
        match term {
            Term::Const(value) => match domain {
                Some(Domain::Bool) => *text += if *value == 0 { "false" } else { "true" },
                Some(Domain::Enum(_)) => return None,
                _ => *text += &value.to_string(),
            },
            Term::Var(v) => *text += &self.variables[*v].name,
            Term::Arith(op, parts, _) => {
                let (sign, rank) = match op {
                    Arith::Add => ("+", 1),
                    Arith::Sub => ("-", 1),
                    Arith::Mul => ("*", 2),
                    Arith::Div => ("/", 2),
                    Arith::Rem => ("%", 2),
                };
                *text += if rank < above { "(" } else { "" };
                self.value(&parts.0, None, rank, text)?;
                *text += &format!(" {sign} ");
                self.value(&parts.1, None, rank + 1, text)?;
                *text += if rank < above { ")" } else { "" };
            }
            Term::Min(parts) | Term::Max(parts) => {
                *text += if matches!(term, Term::Min(_)) { "min(" } else { "max(" };
                self.value(&parts.0, None, 0, text)?;
                *text += ", ";
                self.value(&parts.1, None, 0, text)?;
                *text += ")";
            }
            _ => return None,
        }
        Some(())
    }
}
