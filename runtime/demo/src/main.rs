//! Serves the demo until it is ended: `bb-demo [--port N] [--context-path /x]
//! [--version 9.4|10.0|10.2]`.

use std::io::Write as _;

use bb_demo::{Demo, Options, TOKEN, USER};

#[tokio::main(flavor = "current_thread")]
async fn main() -> std::io::Result<()> {
    let options = read(std::env::args().skip(1))?;
    let demo = Demo::start(options).await?;
    writeln!(
        std::io::stderr(),
        "Bitbucket demo at {} (token `{TOKEN}`, user `{USER}`)",
        demo.url()
    )?;
    std::future::pending::<()>().await;
    Ok(())
}

fn read(mut words: impl Iterator<Item = String>) -> std::io::Result<Options> {
    let mut options = Options::default();
    while let Some(word) = words.next() {
        let value = words.next().ok_or_else(|| refused(&format!("`{word}` needs a value")))?;
        match word.as_str() {
            "--port" => {
                options.port =
                    value.parse().map_err(|_| refused(&format!("`{value}` is not a port")))?;
            }
            "--context-path" => options.context_path = value,
            "--version" => {
                options.version = value
                    .parse()
                    .map_err(|()| refused(&format!("`{value}` is not one of 9.4, 10.0, 10.2")))?;
            }
            _ => {
                return Err(refused(&format!(
                    "`{word}` is unknown: use --port, --context-path and --version"
                )));
            }
        }
    }
    Ok(options)
}

fn refused(text: &str) -> std::io::Error {
    std::io::Error::new(std::io::ErrorKind::InvalidInput, text)
}
