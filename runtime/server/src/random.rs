//! Names that nobody can guess.

/// 128 bits of the system's randomness as 32 hexadecimal digits.
///
/// # Errors
/// A sentence, when the system has none to give; nothing guessable is made up instead.
pub(crate) fn hex() -> Result<String, String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)
        .map_err(|error| format!("the system gives no random numbers: {error}"))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::hex;

    #[test]
    fn no_two_are_the_same() {
        let (one, other) = (hex(), hex());
        assert!(one.as_ref().is_ok_and(|text| text.len() == 32) && one != other);
    }
}
