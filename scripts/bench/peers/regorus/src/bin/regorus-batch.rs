//! Evaluates programs with regorus 0.9, one a line: the driver of `npm run diff:rego`.
//!
//! Reads from standard input `{"modules":[{"name","source"}],"query","input"?,"data"?,"strict"}` and
//! writes one line for each: `{"value":…}` (the first expression of the first row), `{}` for no row,
//! `{"error":"…"}`, or `{"panic":"…"}`. A stack overflow ends the process.

use anyhow::Result;
use regorus::utils::limits::ExecutionTimerConfig;
use regorus::{Engine, Value};
use std::io::{BufRead, Write};
use std::num::NonZeroU32;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::time::Duration;

const STACK_BYTES: usize = 64 << 20;
const LIMIT: Duration = Duration::from_secs(5);

fn evaluate(request: &Value) -> Result<Option<Value>> {
    let mut engine = Engine::new();
    engine.set_strict_builtin_errors(*request["strict"].as_bool()?);
    engine.set_execution_timer_config(ExecutionTimerConfig {
        limit: LIMIT,
        check_interval: NonZeroU32::new(1000).expect("not zero"),
    });
    for module in request["modules"].as_array()?.iter() {
        engine.add_policy(
            module["name"].as_string()?.to_string(),
            module["source"].as_string()?.to_string(),
        )?;
    }
    if request["data"] != Value::Undefined {
        engine.add_data(request["data"].clone())?;
    }
    if request["input"] != Value::Undefined {
        engine.set_input(request["input"].clone());
    }
    let rows = engine.eval_query(request["query"].as_string()?.to_string(), false)?;
    Ok(rows
        .result
        .first()
        .and_then(|row| row.expressions.first())
        .map(|expression| expression.value.clone()))
}

fn answer(line: &str) -> Result<Value> {
    let request = Value::from_json_str(line)?;
    let (name, value) = match catch_unwind(AssertUnwindSafe(|| evaluate(&request))) {
        Ok(Ok(Some(value))) if value != Value::Undefined => ("value", value),
        Ok(Ok(_)) => return Ok(Value::new_object()),
        Ok(Err(error)) => ("error", Value::from(format!("{error:#}"))),
        Err(cause) => {
            let text = cause
                .downcast_ref::<String>()
                .map(String::as_str)
                .or_else(|| cause.downcast_ref::<&str>().copied());
            ("panic", Value::from(text.unwrap_or("unknown").to_string()))
        }
    };
    let mut object = Value::new_object();
    object.as_object_mut()?.insert(Value::from(name), value);
    Ok(object)
}

fn serve() -> Result<()> {
    let mut out = std::io::stdout();
    for line in std::io::stdin().lock().lines() {
        writeln!(out, "{}", serde_json::to_string(&answer(&line?)?)?)?;
        out.flush()?;
    }
    Ok(())
}

fn main() -> Result<()> {
    std::panic::set_hook(Box::new(|_| {}));
    std::thread::Builder::new()
        .stack_size(STACK_BYTES)
        .spawn(serve)?
        .join()
        .expect("the thread of the driver failed")
}
