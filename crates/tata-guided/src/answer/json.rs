//! Answers as JSON: what programs hand over and get back.

use serde_json::{Value, json};

use super::{Answer, Bound, Context, Duration, Kind, Money, Problem, Read, choice::LARGEST, read};

impl Answer {
    /// As JSON: a date as `YYYY-MM-DD`, a time as `HH:MM`, money and lengths as objects, else the plain value.
    pub fn to_json(&self) -> Value {
        match self {
            Self::Date(date) => json!(date.to_string()),
            Self::Time(time) => json!(time.strftime("%H:%M").to_string()),
            Self::Duration(duration) => json!(duration),
            Self::Money(money) => json!(money),
            Self::Count(count) => json!(count),
            Self::YesNo(yes) => json!(yes),
            Self::List(items) => json!(items),
            Self::Choice(text)
            | Self::Name(text)
            | Self::Email(text)
            | Self::Text(text)
            | Self::Material(text) => json!(text),
        }
    }
}

/// Reads a JSON value: a string as a person would type it, else the shape of the kind.
pub(crate) fn read_json(kind: Kind, value: &Value, context: &Context<'_>) -> Result<Read<Answer>, Problem> {
    let certain = |answer| Ok(Read::Certain(answer));
    match (kind, value) {
        (_, Value::String(said)) => read(kind, said, context),
        (Kind::Count, Value::Number(number)) => {
            let count = number.as_u64().ok_or(Problem::NotACount)?;
            if count > LARGEST {
                Err(Problem::TooLarge { limit: LARGEST })
            } else {
                certain(Answer::Count(count))
            }
        }
        (Kind::Choice, Value::Number(number)) => read(kind, &number.to_string(), context),
        (Kind::Duration, Value::Number(number)) => {
            let minutes = number.as_u64().and_then(|minutes| u32::try_from(minutes).ok());
            certain(Answer::Duration(Duration::minutes(minutes.ok_or(Problem::NotADuration)?)))
        }
        (Kind::Duration, Value::Object(_)) => {
            let duration = serde_json::from_value::<Duration>(value.clone());
            certain(Answer::Duration(duration.map_err(|_| wrong(kind))?))
        }
        (Kind::Money, Value::Object(_)) => {
            let money = serde_json::from_value::<Money>(value.clone()).map_err(|_| wrong(kind))?;
            if money.to.is_some_and(|to| to < money.from || money.bound != Bound::Exact) {
                return Err(Problem::Backwards);
            }
            certain(Answer::Money(money))
        }
        (Kind::YesNo, Value::Bool(yes)) => certain(Answer::YesNo(*yes)),
        (Kind::List, Value::Array(items)) => {
            let items: Option<Vec<&str>> = items.iter().map(Value::as_str).collect();
            let items = items.ok_or(wrong(kind))?;
            // One item to a line, so that none is cut at a comma.
            let lines: Vec<String> =
                items.iter().map(|item| item.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
            let lines: Vec<String> = lines.into_iter().filter(|line| !line.is_empty()).collect();
            if lines.is_empty() { Err(Problem::Empty) } else { certain(Answer::List(lines)) }
        }
        (_, Value::Null) => Err(Problem::Empty),
        _ => Err(wrong(kind)),
    }
}

fn wrong(kind: Kind) -> Problem {
    let takes = match kind {
        Kind::Date => "a string, best as YYYY-MM-DD",
        Kind::Time => "a string, best as HH:MM",
        Kind::Duration => "a string, a number of minutes, or {\"months\", \"days\", \"minutes\"}",
        Kind::Money => {
            "a string, or {\"from\", \"to\", \"currency\", \"period\"} with sums in hundredths; \"bound\" at_least or at_most for one end"
        }
        Kind::Count => "a whole number or a string",
        Kind::Choice => "a label as a string, or its number from 1",
        Kind::YesNo => "true, false or a string",
        Kind::List => "an array of strings, or a string",
        Kind::Name | Kind::Email | Kind::Text | Kind::Material => "a string",
    };
    Problem::WrongShape { takes }
}
