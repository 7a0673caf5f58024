//! Measures regorus 0.9 on one policy: `regorus-bench MODE POLICY DATA INPUT RULE MILLISECONDS`.
//!
//! MODE `warm`: a loaded engine, one `eval_rule` after another. MODE `cold`: parse, load and first
//! evaluation each time. DATA and INPUT are JSON files or `-`. Prints one line of JSON: the median and
//! the 99th percentile in nanoseconds, the number of runs, and the value of the rule.

use anyhow::{bail, Result};
use regorus::{Engine, Value};
use std::time::{Duration, Instant};

fn load(policy: &str, data: Option<&Value>) -> Result<Engine> {
    let mut engine = Engine::new();
    engine.set_strict_builtin_errors(false);
    engine.add_policy("policy.rego".to_string(), policy.to_string())?;
    if let Some(data) = data {
        engine.add_data(data.clone())?;
    }
    Ok(engine)
}

fn read_json(path: &str) -> Result<Option<Value>> {
    if path == "-" {
        return Ok(None);
    }
    Ok(Some(Value::from_json_str(&std::fs::read_to_string(path)?)?))
}

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [mode, policy, data, input, rule, milliseconds] = args.as_slice() else {
        bail!("usage: regorus-bench warm|cold POLICY DATA|- INPUT|- RULE MILLISECONDS");
    };
    let source = std::fs::read_to_string(policy)?;
    let data = read_json(data)?;
    let input = read_json(input)?.unwrap_or_else(Value::new_object);
    let budget = Duration::from_millis(milliseconds.parse()?);

    let mut engine = load(&source, data.as_ref())?;
    engine.set_input(input.clone());
    let value = engine.eval_rule(rule.clone())?;

    let mut times: Vec<u128> = Vec::new();
    let begin = Instant::now();
    while begin.elapsed() < budget || times.len() < 3 {
        let start = Instant::now();
        if mode == "cold" {
            let mut fresh = load(&source, data.as_ref())?;
            fresh.set_input(input.clone());
            std::hint::black_box(fresh.eval_rule(rule.clone())?);
        } else {
            engine.set_input(input.clone());
            std::hint::black_box(engine.eval_rule(rule.clone())?);
        }
        times.push(start.elapsed().as_nanos());
    }
    times.sort_unstable();
    let at = |share: usize| times[(times.len() - 1) * share / 100];
    println!(
        "{{\"p50\":{},\"p99\":{},\"runs\":{},\"value\":{}}}",
        at(50),
        at(99),
        times.len(),
        value.to_json_str()?
    );
    Ok(())
}
