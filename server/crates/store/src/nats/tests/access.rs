//! How NATS lets the server in: with TLS, and with each kind of credentials. What is wrong is said with the setting's name, and never
//! with a secret.

use std::path::{Path, PathBuf};

use async_nats::rustls::crypto::ring::default_provider;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use nkeys::KeyPair;
use serde_json::{Value, json};
use switchboard_accounts::Principal;
use switchboard_events::test_support::append;
use switchboard_events::{Append, Blob, BlobHash, SessionLog};
use switchboard_protocol::SessionId;
use tempfile::TempDir;

use crate::nats::NatsLog;
use crate::nats::options::NatsOptions;
use crate::test_support::{NatsServer, certificates, tls_settings};

const SECRET: &str = "correct-horse-battery";

/// A folder with a certificate authority, and a server's certificate of it.
fn authority() -> TempDir {
    // As the program does: whoever uses TLS first decides with which cryptography.
    let _ = default_provider().install_default();
    certificates()
}

/// How a server is reached that asks for nothing.
fn at(server: &NatsServer, scheme: &str) -> NatsOptions {
    NatsOptions { servers: vec![format!("{scheme}://{}", server.address())], replicas: 1, ..NatsOptions::default() }
}

async fn works(options: &NatsOptions) {
    let jetstream = options.connect().await.expect("connected");
    jetstream.ask::<Value>("INFO", &json!({})).await.expect("JetStream answers");
}

/// What is said when it does not work.
async fn error(options: &NatsOptions) -> String {
    let error = options.connect().await.expect_err("refused").to_string();
    assert!(error.contains(&options.servers[0]), "{error}");
    error
}

#[tokio::test]
async fn a_server_with_tls_is_trusted_by_the_certificate_that_is_named_and_by_no_other() {
    let (authority, other) = (authority(), authority());
    let server = NatsServer::start_with(&tls_settings(&authority));
    let trusting = |scheme: &str, folder: &TempDir| NatsOptions {
        certificates: Some(folder.path().join("ca.pem")),
        ..at(&server, scheme)
    };

    works(&trusting("tls", &authority)).await;
    // It says that it wants TLS.
    works(&trusting("nats", &authority)).await;

    for scheme in ["tls", "nats"] {
        let wrong = error(&trusting(scheme, &other)).await;
        let file = other.path().join("ca.pem");
        assert!(wrong.contains("--store-ca") && wrong.contains(&file.display().to_string()), "{wrong}");
        let unnamed = error(&at(&server, scheme)).await;
        assert!(unnamed.contains("those of the system") && unnamed.contains("--store-ca"), "{unnamed}");
    }
    let missing = NatsOptions { certificates: Some(PathBuf::from("/nowhere/ca.pem")), ..at(&server, "tls") };
    let missing = error(&missing).await;
    assert!(missing.contains("/nowhere/ca.pem (--store-ca)"), "{missing}");
}

#[tokio::test]
async fn a_server_that_asks_for_a_certificate_takes_one_of_its_authority() {
    let (authority, other) = (authority(), authority());
    let ca = authority.path().join("ca.pem");
    let settings = tls_settings(&authority).replace('}', &format!(", ca_file: {ca:?}, verify: true }}"));
    let server = NatsServer::start_with(&settings);
    let trusting = NatsOptions { certificates: Some(ca), ..at(&server, "tls") };
    let with = |folder: &TempDir| {
        let file = folder.path().join("identity.pem");
        let parts =
            ["server.pem", "server.key"].map(|part| std::fs::read(folder.path().join(part)).expect("it is there"));
        std::fs::write(&file, parts.concat()).expect("written");
        NatsOptions { identity: Some(file), ..trusting.clone() }
    };

    works(&with(&authority)).await;

    let none = error(&trusting).await;
    assert!(none.contains("it asks for a certificate") && none.contains("--store-identity"), "{none}");
    let wrong = with(&other);
    let file = wrong.identity.clone().expect("a file").display().to_string();
    let wrong = error(&wrong).await;
    assert!(wrong.contains(&format!("{file} (--store-identity)")), "{wrong}");
    for (file, why) in [("/nowhere/own.pem", "No such file"), ("ca.pem", "no key"), ("server.key", "no certificate")] {
        let options = NatsOptions { identity: Some(authority.path().join(file)), ..trusting.clone() };
        let error = options.connect().await.expect_err("refused").to_string();
        assert!(error.contains(file) && error.contains(why) && error.contains("--store-identity"), "{error}");
    }
}

#[tokio::test]
async fn where_tls_is_asked_for_nothing_is_sent_without_it() {
    let _ = default_provider().install_default();
    let server = NatsServer::start();

    error(&at(&server, "tls")).await;

    works(&at(&server, "nats")).await;
}

/// The same with a file of credentials that has this text.
fn with(options: &NatsOptions, folder: &Path, text: &str) -> NatsOptions {
    let file = folder.join(format!("{}.creds", text.len()));
    std::fs::write(&file, text).expect("written");
    NatsOptions { credentials: Some(file), ..options.clone() }
}

/// Only the right text lets the server in; what is said of others and of none.
async fn only(server: &NatsServer, right: &str, wrong: &[&str]) {
    let (folder, options) = (tempfile::tempdir().expect("a folder"), at(server, "nats"));
    works(&with(&options, folder.path(), right)).await;
    for text in wrong {
        let options = with(&options, folder.path(), text);
        let file = options.credentials.clone().expect("a file").display().to_string();
        let refused = options.connect().await.expect_err("refused").to_string();
        assert!(refused.contains(&file) && refused.contains("--store-credentials"), "{refused}");
        for line in right.lines().chain(text.lines()).flat_map(|line| line.split(':')).filter(|line| line.len() > 8) {
            assert!(!refused.contains(line), "{refused}");
        }
        assert!(!format!("{options:?}").contains(SECRET));
    }
    let none = error(&options).await;
    assert!(none.contains("it asks for credentials") && none.contains("--store-credentials"), "{none}");
}

#[tokio::test]
async fn a_user_with_a_password_is_let_in() {
    let server = NatsServer::start_with(&format!("authorization {{ user: ada, password: {SECRET:?} }}\n"));

    let wrong = ["ada:wrong-horse-battery", "bob:correct-horse-battery", "", "two words of nothing", "a:b\nc:d"];
    only(&server, &format!("ada:{SECRET}\n"), &wrong).await;
}

#[tokio::test]
async fn a_token_lets_in() {
    let server = NatsServer::start_with(&format!("authorization {{ token: {SECRET:?} }}\n"));

    only(&server, SECRET, &["wrong-horse-battery", "ada:wrong-horse-battery"]).await;
}

#[tokio::test]
async fn the_seed_of_an_nkey_lets_in() {
    let (user, other) = (KeyPair::new_user(), KeyPair::new_user());
    let server = NatsServer::start_with(&format!("authorization {{ users: [ {{ nkey: {} }} ] }}\n", user.public_key()));
    let seed = |pair: &KeyPair| pair.seed().expect("a seed");

    only(&server, &seed(&user), &[&seed(&other), "SUNOTASEEDATALL"]).await;
}

/// A token that `issuer` has signed.
fn signed(issuer: &KeyPair, subject: &KeyPair, nats: &Value) -> String {
    let encode = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let header = encode(&json!({"typ": "JWT", "alg": "ed25519-nkey"}));
    let (iss, sub) = (issuer.public_key(), subject.public_key());
    let claims = encode(&json!({"jti": "1", "iat": 1, "iss": iss, "sub": sub, "name": sub, "nats": nats}));
    let text = format!("{header}.{claims}");
    let signature = URL_SAFE_NO_PAD.encode(issuer.sign(text.as_bytes()).expect("signed"));
    format!("{text}.{signature}")
}

#[tokio::test]
async fn credentials_as_nsc_writes_them_let_in() {
    let (operator, account, system) = (KeyPair::new_operator(), KeyPair::new_account(), KeyPair::new_account());
    let limits = json!({
        "subs": -1, "data": -1, "payload": -1, "imports": -1, "exports": -1, "wildcards": true, "conn": -1, "leaf": -1,
        "mem_storage": -1, "disk_storage": -1, "streams": -1, "consumer": -1,
    });
    let of_account = |account: &KeyPair, limits: &Value| {
        let text = signed(&operator, account, &json!({"limits": limits, "type": "account", "version": 2}));
        format!("{}: {text}", account.public_key())
    };
    let without_storage = json!({"subs": -1, "data": -1, "payload": -1, "exports": -1, "conn": -1, "leaf": -1});
    let settings = format!(
        "operator: {}\nsystem_account: {}\nresolver: MEMORY\nresolver_preload {{\n{}\n{}\n}}\n",
        signed(&operator, &operator, &json!({"type": "operator", "version": 2})),
        system.public_key(),
        of_account(&account, &limits),
        of_account(&system, &without_storage),
    );
    let server = NatsServer::start_with(&settings);
    let credentials = |issuer: &KeyPair| {
        let user = KeyPair::new_user();
        let rights = json!({"pub": {}, "sub": {}, "subs": -1, "data": -1, "payload": -1, "type": "user", "version": 2});
        format!(
            "-----BEGIN NATS USER JWT-----\n{}\n------END NATS USER JWT------\n\n\
             -----BEGIN USER NKEY SEED-----\n{}\n------END USER NKEY SEED------\n",
            signed(issuer, &user, &rights),
            user.seed().expect("a seed"),
        )
    };

    let (right, stranger) = (credentials(&account), credentials(&KeyPair::new_account()));
    let torn = &right[..right.len() / 2];
    only(&server, &right, &[&stranger, torn]).await;
}

#[tokio::test]
async fn a_user_who_may_do_what_the_documentation_says_is_enough() {
    let server = NatsServer::start_with(&format!(
        "authorization {{ users: [ {{ user: ada, password: {SECRET:?}, permissions: {{\n\
         publish: [ \"$JS.API.>\", \"ev.>\", \"bl.>\", \"meta.>\" ], subscribe: \"_INBOX.>\" }} }} ] }}\n"
    ));
    let folder = tempfile::tempdir().expect("a folder");
    let options = with(&at(&server, "nats"), folder.path(), &format!("ada:{SECRET}"));
    let log = NatsLog::open(folder.path(), options).await.expect("a log");
    let session = SessionId::random();
    log.create(session, &Principal::local()).await.expect("made");
    let blob = Blob { hash: BlobHash::of(b"large"), bytes: (&b"large"[..]).into() };
    let hash = blob.hash.clone();
    log.append(Append { blobs: vec![blob], ..append(session, 0, 3) }).await.expect("written");

    assert_eq!(log.read(session, 0, 10).await.expect("read").len(), 3);
    assert!(log.blob(session, &hash).await.expect("read").is_some());
    assert!(log.delete(session).await.expect("deleted"));
    log.close().await;
}
