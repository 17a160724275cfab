//! Finds libcvc5 1.4.0, which the crate `cvc5` binds, and tells cargo how to link it.
//!
//! From `CVC5_LIB_DIR` if that is set; else from a folder in cargo's home, which the first build
//! fills from the solver's own wheel on PyPI. The wheel is pinned by SHA-256 per platform and
//! brings gmp, mpfr and libpoly along, each found by a path relative to libcvc5 itself.
//! `cvc5-sys` links nothing: `.cargo/config.toml` has it use its shipped bindings.
//!
//! Where a program looks for libcvc5 when it runs is decided here too: in `lib/cellog` beside
//! itself and beside its folder, and last in cargo's home, so that `cargo install` gives a program
//! that runs without this source tree. With the feature `relocatable`, which packages are built
//! with, nothing of the building machine is in the program, and the libraries are laid out for
//! packages as [`lay_out`] says.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

/// The version that the bindings of `cvc5-sys` were made from.
const VERSION: &str = "1.4.0";

/// What is linked.
const LIBRARY: &str = "libcvc5";

/// One published wheel: where it runs, what pip calls it, and what is in it.
struct Wheel {
    /// `CARGO_CFG_TARGET_OS` and `CARGO_CFG_TARGET_ARCH`.
    target: (&'static str, &'static str),
    /// pip's platform tag.
    platform: &'static str,
    /// SHA-256 of the wheel file, lower-case hexadecimal.
    sha256: &'static str,
    /// The folder of shared libraries inside the wheel.
    folder: &'static str,
}

const WHEELS: [Wheel; 4] = [
    Wheel {
        target: ("linux", "x86_64"),
        platform: "manylinux2014_x86_64",
        sha256: "dd4f7bf0007f3dadd224415a9a26311b243105996397c256af7bd640c9a9d04e",
        folder: "cvc5.libs",
    },
    Wheel {
        target: ("linux", "aarch64"),
        platform: "manylinux2014_aarch64",
        sha256: "533019aa57401bec273aab4c31d593285f23d863a19c3f127b4634ac68422fe6",
        folder: "cvc5.libs",
    },
    Wheel {
        target: ("macos", "aarch64"),
        platform: "macosx_11_0_arm64",
        sha256: "eb2b23c63a1ce7df081a1f4633a463c04126198235ca06a85f4b414731af7ed1",
        folder: "cvc5/.dylibs",
    },
    Wheel {
        target: ("macos", "x86_64"),
        platform: "macosx_10_13_x86_64",
        sha256: "0a310814753f425e818cd4d675ac57c5dbe65f32328c6af3ac3e3339c98b7940",
        folder: "cvc5/.dylibs",
    },
];

/// The folder of libcvc5 in a package, under `lib`.
const PRIVATE: &str = "cellog";

/// Links libcvc5 into every target of the package, or ends the build with one message.
pub fn link() {
    println!("cargo::rerun-if-changed=build/cvc5.rs");
    for name in ["CVC5_LIB_DIR", "CARGO_HOME", "HOME"] {
        println!("cargo::rerun-if-env-changed={name}");
    }
    let os = variable("CARGO_CFG_TARGET_OS");
    if let Err(reason) = find(&os).and_then(|library| link_to(&library, &os)) {
        eprintln!("{}", ways_out(&reason));
        std::process::exit(1);
    }
}

/// A folder with libcvc5, and whether it is ours.
struct Library {
    folder: PathBuf,
    /// Filled from the wheel, so that everything in it may be shipped.
    from_wheel: bool,
}

/// Finds libcvc5, or obtains it.
fn find(os: &str) -> Result<Library, String> {
    let name = link_name(LIBRARY, os);
    if let Some(folder) = std::env::var_os("CVC5_LIB_DIR").filter(|v| !v.is_empty()) {
        return given(&PathBuf::from(folder), &name).map(|folder| Library { folder, from_wheel: false });
    }
    let kept = format!("libcvc5-{VERSION}-{os}-{}", variable("CARGO_CFG_TARGET_ARCH"));
    cached(&cargo_home()?.join("cellog"), &kept, os).map(|folder| Library { folder, from_wheel: true })
}

/// The one message of every failure.
fn ways_out(reason: &str) -> String {
    format!(
        "
libcvc5 {VERSION} is needed and could not be obtained:
  {reason}

One of these three solves it:
  1. If you have libcvc5 {VERSION}: set CVC5_LIB_DIR to the folder that holds libcvc5.so (macOS: libcvc5.dylib).
  2. If you are offline or behind a proxy: let `python3 -m pip` reach a package index for this one
     build (it downloads the wheel cvc5=={VERSION}, 14 MB; pip's own settings such as HTTPS_PROXY and PIP_INDEX_URL apply).
  3. If Python or pip is missing: install it, for example `apt install python3-pip`, and build again.
"
    )
}

/// Checks the folder that the user named.
fn given(folder: &Path, name: &str) -> Result<PathBuf, String> {
    let folder = fs::canonicalize(folder).map_err(|e| format!("CVC5_LIB_DIR names {}: {e}", folder.display()))?;
    if folder.join(name).exists() {
        Ok(folder)
    } else {
        Err(format!("CVC5_LIB_DIR names {}, which holds no {name}", folder.display()))
    }
}

/// Returns the cache folder, filling it first when it is not there.
///
/// The folder is made under another name and renamed when it is complete, so it is whole or absent;
/// of two builds at once, the first to rename wins and the other uses its result.
fn cached(root: &Path, cache: &str, os: &str) -> Result<PathBuf, String> {
    let arch = variable("CARGO_CFG_TARGET_ARCH");
    let folder = root.join(cache);
    let name = link_name(LIBRARY, os);
    if folder.join(&name).exists() {
        return Ok(folder);
    }
    let wheel = WHEELS
        .iter()
        .find(|w| w.target == (os, arch.as_str()) && variable("CARGO_CFG_TARGET_ENV") != "musl")
        .ok_or_else(|| format!("no wheel is published for {}", variable("TARGET")))?;
    let work = root.join(format!("{cache}.{}.tmp", std::process::id()));
    let filled = fill(&work, wheel, os).and_then(|libraries| match fs::rename(&libraries, &folder) {
        Ok(()) => Ok(()),
        Err(_) if folder.join(&name).exists() => Ok(()),
        Err(e) => Err(format!("cannot create {}: {e}", folder.display())),
    });
    // Left-over bytes under another name are harmless: a failure to remove them is no failure.
    let _ = fs::remove_dir_all(&work);
    filled.map(|()| folder)
}

/// Downloads, checks and unpacks `wheel` in the new folder `work`; returns the libraries' folder.
fn fill(work: &Path, wheel: &Wheel, os: &str) -> Result<PathBuf, String> {
    let io = |e: std::io::Error| format!("cannot write under {}: {e}", work.display());
    fs::create_dir_all(work).map_err(io)?;
    python(&["-m", "pip", "--version"]).map_err(|e| format!("`python3 -m pip` does not run: {e}"))?;
    let path = |p: &Path| p.to_string_lossy().into_owned();
    python(&[
        "-m",
        "pip",
        "download",
        "--quiet",
        "--disable-pip-version-check",
        "--no-deps",
        "--only-binary=:all:",
        "--platform",
        wheel.platform,
        "--implementation",
        "cp",
        "--python-version",
        "3.12",
        "--abi",
        "cp312",
        "--dest",
        &path(work),
        &format!("cvc5=={VERSION}"),
    ])
    .map_err(|e| format!("`python3 -m pip download cvc5=={VERSION}` failed: {e}"))?;
    let file = only_entry(work, "whl").ok_or("pip downloaded no wheel")?;
    let digest = python(&[
        "-c",
        "import hashlib, sys; print(hashlib.sha256(open(sys.argv[1], 'rb').read()).hexdigest())",
        &path(&file),
    ])?;
    if digest.trim() != wheel.sha256 {
        return Err(format!("the downloaded wheel's SHA-256 is {}, not {} as published", digest.trim(), wheel.sha256));
    }
    let unpacked = work.join("unpacked");
    python(&["-m", "zipfile", "-e", &path(&file), &path(&unpacked)])
        .map_err(|e| format!("`python3 -m zipfile` cannot unpack the wheel: {e}"))?;
    let libraries = unpacked.join(wheel.folder);
    let file = versioned(&libraries, LIBRARY).ok_or_else(|| format!("the wheel holds no {LIBRARY}"))?;
    // The parser of SMT-LIB is a library of its own that nothing here calls.
    if let Some(parser) = versioned(&libraries, "libcvc5parser") {
        fs::remove_file(libraries.join(parser)).map_err(io)?;
    }
    let licenses = unpacked.join(format!("cvc5-{VERSION}.dist-info/licenses"));
    fs::rename(&licenses, libraries.join("licenses"))
        .map_err(|e| format!("the wheel's licences, {}: {e}", licenses.display()))?;
    if os == "macos" {
        make_relocatable(&libraries.join(&file))?;
    }
    // Cargo reruns a build script when a watched file is younger than the script's last start.
    fs::File::open(libraries.join(&file))
        .and_then(|f| f.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(1)))
        .map_err(io)?;
    std::os::unix::fs::symlink(&file, libraries.join(link_name(LIBRARY, os))).map_err(io)?;
    Ok(libraries)
}

/// Gives a macOS library a name that the run path can resolve, then signs it anew.
fn make_relocatable(library: &Path) -> Result<(), String> {
    let file = library.file_name().expect("a library has a file name").to_string_lossy();
    let id = format!("@rpath/{file}");
    run(Command::new("install_name_tool").arg("-id").arg(id).arg(library))?;
    run(Command::new("codesign").args(["--force", "--sign", "-"]).arg(library)).map(drop)
}

/// The name of the library `stem` in an unpacked wheel, which adds a version and on Linux a hash to it.
fn versioned(folder: &Path, stem: &str) -> Option<String> {
    fs::read_dir(folder)
        .ok()?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .find(|name| name.strip_prefix(stem).is_some_and(|rest| rest.starts_with(['-', '.'])))
}

/// The first file of `folder` with this extension.
fn only_entry(folder: &Path, extension: &str) -> Option<PathBuf> {
    fs::read_dir(folder)
        .ok()?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .find(|p| p.extension() == Some(OsStr::new(extension)))
}

fn python(arguments: &[&str]) -> Result<String, String> {
    run(Command::new("python3").args(arguments))
}

/// Runs a command to its end; its output, or the last line of what it complained about.
fn run(command: &mut Command) -> Result<String, String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|e| format!("cannot run {program}: {e}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let complaint = String::from_utf8_lossy(&output.stderr);
    let last = complaint.lines().rev().find(|line| !line.trim().is_empty());
    Err(last.map_or_else(|| format!("{program}: {}", output.status), |l| l.trim().to_owned()))
}

/// Prints the search path, the library and the run path.
fn link_to(library: &Library, os: &str) -> Result<(), String> {
    println!("cargo::rerun-if-changed={}", library.folder.join(link_name(LIBRARY, os)).display());
    println!("cargo::rustc-link-search=native={}", library.folder.display());
    println!("cargo::rustc-link-lib=dylib=cvc5");
    let beside = if os == "macos" { "@loader_path" } else { "$ORIGIN" };
    println!("cargo::rustc-link-arg=-Wl,-rpath,{beside}/../lib/{PRIVATE}");
    println!("cargo::rustc-link-arg=-Wl,-rpath,{beside}/lib/{PRIVATE}");
    if std::env::var_os("CARGO_FEATURE_RELOCATABLE").is_none() {
        println!("cargo::rustc-link-arg=-Wl,-rpath,{}", library.folder.display());
    } else if library.from_wheel {
        lay_out(library, os)?;
    }
    // Once more at the end: a linker that reads left to right has met its users only there.
    println!("cargo::rustc-link-arg=-lcvc5");
    Ok(())
}

/// Copies the libraries and their licences to where packages are made from: `lib/cellog` in
/// `OUT_DIR`, which `pyproject.toml` names, and beside the programs of the profile, which the
/// Debian package takes them from and where `target/release/cellog` finds them.
///
/// `cargo run` and `cargo test` look in folders of the target directory that libraries were
/// searched in; that is how tests find the copy.
fn lay_out(library: &Library, os: &str) -> Result<(), String> {
    let out = PathBuf::from(variable("OUT_DIR"));
    // OUT_DIR is PROFILE/build/PACKAGE-HASH/out.
    let profile = out.ancestors().nth(3).ok_or("OUT_DIR is not inside of a profile's folder")?;
    for root in [out.as_path(), profile] {
        let folder = root.join("lib").join(PRIVATE);
        copy(&library.folder, &folder, &link_name(LIBRARY, os))
            .map_err(|e| format!("cannot copy libcvc5 to {}: {e}", folder.display()))?;
    }
    println!("cargo::rustc-link-search=native={}", out.join("lib").join(PRIVATE).display());
    Ok(())
}

/// Copies a folder with what is in it, but no file called `except`.
fn copy(from: &Path, to: &Path, except: &str) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target, except)?;
        } else if entry.file_name() != except {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

/// The name by which the linker looks for the library `stem`.
fn link_name(stem: &str, os: &str) -> String {
    format!("{stem}.{}", if os == "macos" { "dylib" } else { "so" })
}

/// Cargo's home, where it keeps what it downloads.
fn cargo_home() -> Result<PathBuf, String> {
    let set = |name| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    let home = set("CARGO_HOME").or_else(|| Some(set("HOME")?.join(".cargo")));
    let home = home.ok_or("neither CARGO_HOME nor HOME is set, so there is no place to keep it")?;
    std::path::absolute(&home).map_err(|e| format!("{}: {e}", home.display()))
}

/// A variable that cargo sets for build scripts; empty when this target has none.
fn variable(name: &str) -> String {
    std::env::var(name).unwrap_or_default()
}
