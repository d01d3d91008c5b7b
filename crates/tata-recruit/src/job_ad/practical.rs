//! Pay, dates and contacts: checked when they come in, written as a country writes them.

use jiff::{Timestamp, civil::Date, tz::TimeZone};

use super::{AdContact, AdPay};
use crate::{Evidence, PayRange, Refusal, Texts, clip::clipped, figures::iso_date, tidy};

/// The contact on one line; nothing if there is none.
pub(super) fn contact_line(contact: &AdContact, texts: &Texts, refusal: &mut Refusal) -> Option<String> {
    let part = |text: &Option<String>| text.as_deref().map(tidy).filter(|text| !text.is_empty());
    let email = part(&contact.email);
    if let Some(email) = email.as_deref().filter(|email| !is_address(email)) {
        refusal.say("contact.email", texts, key!("job_ad.refuse.email"), &[("text", &clipped(email, 80))]);
    }
    let phone = part(&contact.phone);
    if let Some(phone) = phone.as_deref().filter(|phone| !is_number(phone)) {
        refusal.say("contact.phone", texts, key!("job_ad.refuse.phone"), &[("text", &clipped(phone, 80))]);
    }
    let (name, role) = (part(&contact.name), part(&contact.role));
    if name.is_some() && email.is_none() && phone.is_none() {
        refusal.say("contact", texts, key!("job_ad.refuse.unreachable"), &[]);
    }
    let parts: Vec<String> = [name, role, email, phone].into_iter().flatten().collect();
    Some(parts.join(", ")).filter(|line| !line.is_empty())
}

fn is_address(email: &str) -> bool {
    let Some((user, host)) = email.split_once('@') else { return false };
    let fine = |part: &str| {
        !part.is_empty()
            && part.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '.' | '-' | '_' | '+'))
    };
    fine(user) && fine(host) && host.contains('.') && !host.starts_with('.') && !host.ends_with('.')
}

fn is_number(phone: &str) -> bool {
    phone.chars().filter(char::is_ascii_digit).count() >= 5
        && phone
            .chars()
            .all(|sign| sign.is_ascii_digit() || matches!(sign, ' ' | '+' | '-' | '(' | ')' | '/' | '.'))
}

/// The last day to apply, if it is one.
pub(super) fn apply_by(wish: &str, now: Timestamp, texts: &Texts, refusal: &mut Refusal) -> Option<Date> {
    let wish = wish.trim();
    if wish.is_empty() {
        return None;
    }
    let key = match iso_date(wish) {
        Some(date) if date >= now.to_zoned(TimeZone::UTC).date() => return Some(date),
        Some(_) => key!("job_ad.refuse.apply_by_past"),
        None => key!("job_ad.refuse.apply_by"),
    };
    let message = texts.say(key, &[("text", &clipped(wish, 40))]);
    refusal.add("apply_by", message, texts.get(key!("job_ad.refuse.apply_by_way_out")));
    None
}

/// The pay, unless it makes no sense. Where it was said is not known here.
pub(super) fn pay(pay: &AdPay, texts: &Texts, refusal: &mut Refusal) -> Option<PayRange> {
    let AdPay { min, max, period, .. } = *pay;
    let ends = min.is_some() || max.is_some();
    let backwards = min.zip(max).is_some_and(|(min, max)| min > max);
    let currency = pay.currency.trim().to_uppercase();
    let known = currency.len() == 3 && currency.bytes().all(|letter| letter.is_ascii_uppercase());
    if !known || !ends || max == Some(0) || backwards {
        refusal.say("pay_range", texts, key!("job_ad.refuse.pay"), &[]);
        return None;
    }
    let beside = pay.beside.iter().map(|text| tidy(text)).filter(|text| !text.is_empty()).collect();
    Some(PayRange { min, max, currency, period, beside, evidence: Evidence::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_a_name_and_a_host() {
        assert!(is_address("jobs@example.com"));
        for wrong in ["jobs", "a@b", "a b@c.de", "@c.de", "a@.de", "a@b@c.de"] {
            assert!(!is_address(wrong), "{wrong}");
        }
    }
}
