"use strict";
(() => {
    const data = JSON.parse(document.getElementById("data").textContent);
    const main = document.getElementById("main");
    const VERDICTS = ["definite", "possible", "unknown", "unreachable", "safe"];
    const worst = (f) => VERDICTS.indexOf(f.verdict);
    const findings = data.findings.map((f, i) => [f, i]).sort(([a, i], [b, j]) => worst(a) - worst(b) || i - j).map(([f]) => f);
    const byId = new Map(findings.map((f) => [f.id, f]));
    const files = new Map(data.files.map((f) => [f.name, f]));
    const filter = { text: "", verdicts: new Set(["definite", "possible", "unknown"]), check: "", file: "", closed: false };
    const isClosed = (f) => Boolean(f.suppressed) || f.baseline === "known";
    let step = 0;

    // Makes an element; text is always text, never markup.
    function el(tag, attributes, ...children) {
        const node = document.createElement(tag);
        for (const [name, value] of Object.entries(attributes || {})) {
            if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
            else if (value !== undefined && value !== null && value !== false) node.setAttribute(name, value);
        }
        for (const child of children.flat()) {
            if (child !== undefined && child !== null) node.append(child);
        }
        return node;
    }
    // The folder that all files are in stands on the first page, not in front of every name.
    const [first = "", ...others] = data.files.map((f) => f.name.slice(0, f.name.lastIndexOf("/") + 1));
    const folder = others.reduce((common, one) => {
        while (!one.startsWith(common)) common = common.slice(0, common.slice(0, -1).lastIndexOf("/") + 1);
        return common;
    }, first);
    const short = (name) => (name.startsWith(folder) ? name.slice(folder.length) : name);
    const place = (p) => (p.line ? `${short(p.file)}:${p.line}` : short(p.file));
    const fileLink = (p, text) =>
        files.has(p.file) ? el("a", { href: `#/file/${encodeURIComponent(p.file)}/${p.line}` }, text || place(p))
                          : el("span", {}, text || place(p));
    const badge = (verdict) => el("span", { class: `badge ${verdict}` }, verdict);
    const plural = (n, one) => `${n} ${one}${n === 1 ? "" : "s"}`;

    function overview() {
        const cards = VERDICTS.map((v) => {
            const listed = findings.some((f) => f.verdict === v);
            const inner = [el("b", {}, String(data.summary[v])), v];
            return listed ? el("a", { class: `card ${v}`, href: `#/findings/${v}` }, inner)
                          : el("div", { class: `card ${v}` }, inner);
        });
        const rows = data.checks.map((c) => {
            const total = VERDICTS.reduce((n, v) => n + (c.counts[v] || 0), 0);
            const label = VERDICTS.filter((v) => c.counts[v]).map((v) => `${c.counts[v]} ${v}`).join(", ");
            const bar = el("div", { class: "bar", role: "img", "aria-label": label, title: label }, VERDICTS.filter((v) => c.counts[v]).map((v) => {
                const part = el("i", { class: v });
                part.style.width = `${(100 * c.counts[v]) / total}%`;
                return part;
            }));
            return el("tr", {}, el("th", { scope: "row" }, el("span", { title: c.explanation }, c.name)), el("td", { class: "chart" }, bar),
                VERDICTS.map((v) => el("td", { class: "num" }, String(c.counts[v] || 0))));
        });
        const head = el("tr", {}, el("th", {}, "check"), el("th", { class: "chart" }), VERDICTS.map((v) => el("th", { class: "num" }, v)));
        const definite = findings.filter((f) => f.verdict === "definite" && !isClosed(f)).slice(0, 10);
        return ["Overview",
            el("h1", {}, `${plural(data.summary.definite, "definite finding")} in ${plural(data.program.files.length, "file")}`),
            el("p", { class: "soft" }, folder ? `in ${folder}, ` : "", `from ${data.program.entry}(), ${data.program.arch}, cellog ${data.version}`),
            el("div", { class: "cards" }, cards),
            definite.length ? el("h2", {}, "Definite") : null, definite.length ? list(definite) : null,
            el("h2", {}, "Verdicts per check"),
            el("div", { class: "wide", tabindex: "0", role: "region", "aria-label": "Verdicts per check" },
                el("table", {}, el("thead", {}, head), el("tbody", {}, rows))),
            data.unsupported.length
                ? el("p", {}, el("a", { href: "#/gaps" }, `${plural(data.unsupported.length, "thing")} not analysed`)) : null];
    }

    function list(items) {
        return el("ul", { class: "list" }, items.map((f) =>
            el("li", {}, el("a", { href: `#/finding/${f.id}`, "data-finding": f.id },
                el("span", {}, badge(f.verdict)), el("span", { class: "what" }, f.message,
                    isClosed(f) ? el("span", { class: "soft" }, f.suppressed ? " (suppressed)" : " (known)") : null),
                el("span", { class: "where soft mono" }, place(f))))));
    }

    function matching() {
        const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
        return findings.filter((f) => filter.verdicts.has(f.verdict) && (filter.closed || !isClosed(f)) && (!filter.check || f.check === filter.check)
            && (!filter.file || f.file === filter.file)
            && words.every((w) => `${f.message} ${f.check} ${f.file}:${f.line} ${f.function} ${f.id}`.toLowerCase().includes(w)));
    }

    const PAGE = 300;
    function findingList() {
        const results = el("div", {});
        const count = el("p", { class: "soft", role: "status" });
        let shown = PAGE;
        const update = () => {
            const found = matching();
            count.textContent = `${found.length} of ${findings.length}`;
            const more = found.length > shown
                ? el("button", { type: "button", onclick: () => { shown += PAGE; update(); } }, "Show more") : "";
            results.replaceChildren(found.length ? list(found.slice(0, shown)) : el("p", {}, "Nothing matches."), more);
        };
        const search = el("input", { type: "search", id: "search", "aria-label": "Search", placeholder: "Search (/)",
            value: filter.text, oninput: (e) => { filter.text = e.target.value; update(); } });
        const choice = (name, label, values, told = (v) => v) => el("select", { "aria-label": label,
            onchange: (e) => { filter[name] = e.target.value; update(); } },
            el("option", { value: "" }, label),
            values.map((v) => el("option", { value: v, selected: filter[name] === v ? "" : null }, told(v))));
        const listed = VERDICTS.filter((v) => findings.some((f) => f.verdict === v));
        const chips = listed.map((v) => el("button", { type: "button", class: v, "aria-pressed": String(filter.verdicts.has(v)),
            onclick: (e) => {
                if (!filter.verdicts.delete(v)) filter.verdicts.add(v);
                e.target.setAttribute("aria-pressed", String(filter.verdicts.has(v)));
                update();
            } }, v));
        if (findings.some(isClosed)) {
            chips.push(el("button", { type: "button", "aria-pressed": String(filter.closed), onclick: (e) => {
                filter.closed = !filter.closed;
                e.target.setAttribute("aria-pressed", String(filter.closed));
                update();
            } }, "suppressed or known"));
        }
        const unique = (key) => [...new Set(findings.map((f) => f[key]))].sort();
        update();
        return ["Findings", el("h1", {}, "Findings"),
            el("div", { class: "filters" }, search, chips, choice("check", "All checks", unique("check")),
                choice("file", "All files", unique("file"), short)), count, results];
    }

    // The function that a line of a file is in, and what is known of a variable there.
    const functionAt = (name, no) => data.functions.find((f) => f.file === name && f.first <= no && no <= f.last);
    const own = (map, key) => (Object.prototype.hasOwnProperty.call(map, key) ? map[key] : undefined);
    const known = (fn, word) => (fn && own(fn.variables, word)) || own(data.globals, word);
    // The bounds at the last line up to this one for which there are any.
    function boundsAt(variable, no) {
        const before = variable.bounds.filter(([line]) => line <= no);
        const last = before.length ? before[before.length - 1][0] : 0;
        return before.filter(([line]) => line === last)
            .map(([line, byte, text]) => `${byte ? `byte ${byte}: ` : ""}${text} when control is at line ${line}`);
    }
    function tell(fn, word, no) {
        const global = own(data.globals, word);
        const variable = known(fn, word);
        const bounds = boundsAt(variable, no);
        const targets = variable.targets.length ? variable.targets : (global && global.targets) || [];
        return [el("b", {}, word), bounds.map((b) => el("div", {}, b)),
            targets.length ? el("div", {}, "may point to ", targets.join(", ")) : null,
            bounds.length || targets.length ? null : el("div", {}, "nothing is known here")].flat().filter(Boolean);
    }
    const tip = document.getElementById("tip");
    function showTip(e) {
        const at = e.target.closest?.(".var");
        tip.hidden = !at;
        if (!at) return;
        const no = Number(at.closest("[data-line]").dataset.line);
        tip.replaceChildren(...tell(functionAt(at.closest("[data-file]").dataset.file, no), at.textContent, no));
        const box = at.getBoundingClientRect();
        tip.style.left = `${Math.max(4, Math.min(box.left, innerWidth - tip.offsetWidth - 8))}px`;
        const below = box.bottom + 4;
        tip.style.top = `${below + tip.offsetHeight < innerHeight ? below : Math.max(4, box.top - tip.offsetHeight - 4)}px`;
    }
    document.addEventListener("mouseover", showTip);
    document.addEventListener("click", showTip);
    document.addEventListener("scroll", () => { tip.hidden = true; }, true);
    // The lines of a file with blanks for all that is no code: comments, strings, characters, directives.
    function codeOf(file) {
        let inside = "";
        file.code ||= file.lines.map((text) => {
            let code = "";
            if (!inside && /^\s*#/.test(text)) inside = "#";
            for (let at = 0; at < text.length; at++) {
                const [c, two] = [text[at], text.slice(at, at + 2)];
                const quoted = inside === '"' || inside === "'";
                code += inside || two === "//" || /["']/.test(c) ? " " : c;
                if (inside === "/*" ? two === "*/" : (quoted && c === "\\") || (two === "/*" && (!inside || inside === "#"))) {
                    code = `${code.slice(0, at)}  `;
                    if (!quoted) inside = inside === "/*" ? "" : "/*";
                    at++;
                } else if (quoted && c === inside) inside = "";
                else if (!inside && two === "//") inside = two;
                else if (!inside && /["']/.test(c)) inside = c;
            }
            if (inside !== "/*" && !text.endsWith("\\")) inside = "";
            return code;
        });
        return file.code;
    }
    // Names that may be variables: no members, no tags.
    const NAMES = /(?<!\w|\.\s*|->\s*|\b(?:struct|union|enum|goto)\s+)[A-Za-z_]\w*/g;
    // A piece of a line, which is `code` from `start` on, with its known variables as elements.
    function words(text, fn, code, start) {
        if (!fn) return [text];
        const parts = [];
        let end = 0;
        for (const m of code.matchAll(NAMES)) {
            m.index -= start;
            if (m.index < 0 || m.index + m[0].length > text.length || !known(fn, m[0])) continue;
            parts.push(text.slice(end, m.index), el("span", { class: "var" }, m[0]));
            end = m.index + m[0].length;
        }
        return [...parts, text.slice(end)].filter((p) => p !== "");
    }
    let values = false;
    // What the variables of a line, which is `code`, hold, for those who have no pointer.
    function valueNote(fn, code, no) {
        const named = new Set(fn ? [...code.matchAll(NAMES)].map((m) => m[0]) : []);
        const rows = [...named].filter((word) => known(fn, word)).flatMap((word) => known(fn, word).bounds
            .filter(([line]) => line === no)
            .map(([, byte, text]) => el("span", {}, `${word}${byte ? ` at byte ${byte}` : ""}: ${text}  `)));
        return rows.length ? el("span", { class: "note value" }, rows) : null;
    }

    // The lines of a file, those of `marked` (line -> class) highlighted; `notes`: line -> nodes below it.
    function source(name, marked, notes, underline) {
        const file = files.get(name);
        if (!file) return el("p", { class: "soft" }, `${name} is not part of this report.`);
        const rows = file.lines.map((text, i) => {
            const no = i + 1;
            const code = el("span", { class: "code" });
            const fn = functionAt(name, no);
            const clean = codeOf(file)[i];
            if (underline && underline.line === no && underline.end > underline.start) {
                const points = [...text];
                const [a, b] = [underline.start - 1, underline.end - 1].map((n) => points.slice(0, n).join("").length);
                code.append(...words(text.slice(0, a), fn, clean, 0), el("b", {}, words(text.slice(a, b), fn, clean, a)),
                    ...words(text.slice(b), fn, clean, b));
            } else {
                code.append(...words(text || " ", fn, clean, 0));
            }
            const state = file.state[no];
            return el("div", { class: `row ${marked.get(no) || ""}`, "data-line": no },
                el("a", { class: `no ${state || ""}`, href: `#/file/${encodeURIComponent(name)}/${no}`, tabindex: "-1",
                    title: state ? `line ${no}: ${state}` : null }, String(no)),
                code, values ? valueNote(fn, clean, no) : null, notes.get(no) || null);
        });
        return el("div", { class: "source mono", tabindex: "0", role: "region", "data-file": name, "aria-label": `Source of ${name}` }, rows);
    }

    function findingPage(id) {
        const f = byId.get(id);
        if (!f) return ["No such finding", el("h1", {}, "No such finding")];
        const facts = el("dl", { class: "facts" });
        const fact = (name, ...value) => facts.append(el("dt", {}, name), el("dd", {}, value));
        fact("where", fileLink(f), ` in ${f.function}()`);
        if (f.verdict === "definite") fact("when", f.when.length ? el("ul", {}, f.when.map((w) => el("li", {}, w)))
            : (f.precondition || []).length ? "always, whatever the inputs are" : "always");
        if (f.reason) fact("because", f.reason);
        if (f.after_error) fact("assumed away", el("ul", {}, f.after_error.map((e) => byId.get(e)).filter((e) => e).map((e) =>
            el("li", {}, el("a", { href: `#/finding/${e.id}` }, `${e.message} (line ${e.line})`)))));
        if (f.suppressed) fact("suppressed", f.suppressed.reason);
        if (f.baseline) fact("baseline", f.baseline);
        const check = data.checks.find((c) => c.name === f.check);
        fact("check", `${f.check}: ${check.explanation}`);
        fact("what to do", check.advice);
        if (f.cwe) fact("weakness", el("a", { href: `https://cwe.mitre.org/data/definitions/${f.cwe}.html`, rel: "noreferrer" },
            `CWE-${f.cwe}`));
        fact("found by", f.engine + (f.replayed ? ", and run again from its inputs" : ""));
        fact("id", el("code", {}, f.id));
        const left = el("section", {}, facts);
        const pane = el("div", {});
        const trace = f.trace.filter((s) => s.line);
        step = Math.max(trace.length - 1, 0);
        const show = () => {
            const at = trace.length ? trace[step] : f;
            const marked = new Map();
            const notes = new Map();
            trace.filter((s) => s.file === at.file).forEach((s) => marked.set(s.line, "on"));
            marked.set(at.line, at.file === f.file && at.line === f.line ? "here" : "now");
            if (trace.length) notes.set(at.line, el("span", { class: "note step" }, `${step + 1}: ${at.text}`));
            const underline = at.file === f.file ? { line: f.line, start: f.columns[0], end: f.columns[1] } : null;
            pane.replaceChildren(el("p", { class: "soft mono" }, short(at.file)), source(at.file, marked, notes, underline));
            reveal(pane, at.line);
            [...left.querySelectorAll(".steps button")].forEach((b, i) => {
                if (i === step) {
                    b.setAttribute("aria-current", "step");
                    const list = b.closest("ol");
                    list.scrollTop = b.offsetTop - list.offsetTop - list.clientHeight / 2;
                } else b.removeAttribute("aria-current");
            });
            const count = left.querySelector("[data-count]");
            if (count) count.textContent = `step ${step + 1} of ${trace.length}`;
        };
        const go = (to) => { step = Math.max(0, Math.min(trace.length - 1, to)); show(); };
        if (trace.length) {
            left.append(el("div", { class: "stepper" },
                el("button", { type: "button", id: "back", onclick: () => go(step - 1) }, "\u2190 Back"),
                el("button", { type: "button", id: "forth", onclick: () => go(step + 1) }, "Next \u2192"),
                el("span", { class: "soft", role: "status", "data-count": "" })),
                el("ol", { class: "steps" }, trace.map((s, i) => el("li", {}, el("button", { type: "button", onclick: () => go(i) },
                    `${i + 1}. ${s.text} `, el("span", { class: "where mono" }, place(s)))))));
        }
        setTimeout(show);
        return [f.message, el("h1", {}, badge(f.verdict), " ", f.message), el("div", { class: "finding" }, left, pane)];
    }

    function reveal(pane, line) {
        const row = pane.querySelector(`[data-line="${line}"]`);
        const box = pane.querySelector(".source");
        if (row && box) box.scrollTop = row.offsetTop - box.offsetTop - box.clientHeight / 3;
    }

    function fileList() {
        const rows = data.files.map((file) => {
            const own = findings.filter((f) => f.file === file.name);
            return el("tr", {}, el("th", { scope: "row" }, fileLink({ file: file.name, line: 1 }, short(file.name))),
                ["definite", "possible", "unknown"].map((v) =>
                    el("td", { class: "num" }, String(own.filter((f) => f.verdict === v).length))),
                el("td", { class: "num" }, String(file.lines.length)));
        });
        return ["Files", el("h1", {}, "Files"), el("div", { class: "wide" }, el("table", {},
            el("thead", {}, el("tr", {}, el("th", {}, "file"),
                ["definite", "possible", "unknown", "lines"].map((h) => el("th", { class: "num" }, h)))),
            el("tbody", {}, rows)))];
    }

    function filePage(name, line) {
        const notes = new Map();
        findings.filter((f) => f.file === name && f.line && ["definite", "possible", "unknown"].includes(f.verdict)).forEach((f) => {
            const box = notes.get(f.line) || el("span", { class: `note ${f.verdict}` });
            if (box.childNodes.length) box.append(el("br"));
            box.append(el("a", { class: f.verdict, href: `#/finding/${f.id}` }, `${f.verdict}: ${f.message}`));
            notes.set(f.line, box);
        });
        const pane = el("div", {}, source(name, new Map(line ? [[line, "on"]] : []), notes, null));
        setTimeout(() => line && reveal(pane, line));
        const toggle = el("button", { type: "button", id: "values", "aria-pressed": String(values),
            onclick: () => { values = !values; route(); } }, "Values below the lines");
        return [short(name), el("h1", { class: "mono" }, short(name)), data.functions.length ? el("p", {}, toggle) : null, pane];
    }

    const share = (n, all) => (all ? `${Math.floor((100 * n) / all)} %` : "");
    // How much of each function is decided.
    function functionList() {
        const rows = data.functions.map((f) => {
            const n = (v) => f.counts[v] || 0;
            const all = VERDICTS.reduce((sum, v) => sum + n(v), 0);
            const decided = all - n("possible") - n("unknown");
            return el("tr", {}, el("th", { scope: "row" }, fileLink({ file: f.file, line: f.first }, `${f.name}()`),
                    el("div", { class: "soft mono" }, short(f.file))), el("td", { class: "num" }, String(all)),
                el("td", { class: "num" }, share(decided, all)),
                el("td", {}, all && n("unreachable") === all ? "never reached" : n("unknown") ? "not analysed whole" : ""));
        });
        const sum = (v) => data.summary[v] || 0;
        const all = VERDICTS.reduce((s, v) => s + sum(v), 0);
        const head = ["function", "sites", "decided", ""].map((h, i) => el("th", i === 1 || i === 2 ? { class: "num" } : {}, h));
        return ["Functions", el("h1", {}, "Functions"),
            el("p", {}, `${plural(all, "check site")}, ${share(all - sum("possible") - sum("unknown"), all) || "0 %"} decided; `,
                `${sum("unreachable")} never reached; ${sum("unknown")} not decided for lack of time or understanding.`),
            el("div", { class: "wide", tabindex: "0", role: "region", "aria-label": "Functions" },
                el("table", {}, el("thead", {}, el("tr", {}, head)), el("tbody", {}, rows))), missing()];
    }
    const missing = () => data.missing.length
        ? el("ul", { class: "soft" }, data.missing.map((m) => el("li", {}, `not known: ${m}`))) : null;

    function loopList() {
        const ENDS = { yes: "ends", no: "does not end", unknown: "may not end" };
        const WHY = { yes: "falls: ", no: "stays: ", unknown: "" };
        const rows = data.loops.map((l) => el("tr", {}, el("th", { scope: "row" }, fileLink(l), el("div", { class: "soft" }, l.function)),
            el("td", { class: l.ends === "yes" ? "safe" : l.ends === "no" ? "definite" : "possible" }, ENDS[l.ends]),
            el("td", { class: "mono" }, l.argument ? WHY[l.ends] + l.argument : ""),
            el("td", { class: "mono" }, l.invariants.map((i) => el("div", {}, i)))));
        return ["Loops", el("h1", {}, "Loops"), data.loops.length
            ? el("div", { class: "wide", tabindex: "0", role: "region", "aria-label": "Loops" }, el("table", {},
                el("thead", {}, el("tr", {}, ["loop", "", "why", "holds in it"].map((h) => el("th", {}, h)))), el("tbody", {}, rows)))
            : el("p", {}, "No loop is known."), missing()];
    }

    function gaps() {
        const kinds = { file: "files", function: "functions (calls to them may do anything)",
            construct: "constructs (their results may be anything)",
            external: "called, but neither defined nor modelled" };
        const parts = Object.entries(kinds).map(([kind, title]) => {
            const own = data.unsupported.filter((g) => g.kind === kind);
            return own.length ? [el("h2", {}, `${title}: ${own.length}`), el("ul", {}, own.map((g) =>
                el("li", {}, g.what, g.line ? " at " : "", g.line ? fileLink(g) : "")))] : [];
        });
        return ["Not analysed", el("h1", {}, "Not analysed"),
            data.unsupported.length ? null : el("p", {}, "Everything was."), parts.flat()];
    }

    function route() {
        const [view, a, b] = location.hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
        let page;
        let current = view || "overview";
        if (view === "findings") {
            if (a) filter.verdicts = new Set([a]);
            page = findingList();
        } else if (view === "finding") { current = "findings"; page = findingPage(a); }
        else if (view === "files") page = fileList();
        else if (view === "file") { current = "files"; page = filePage(a, Number(b)); }
        else if (view === "functions") page = functionList();
        else if (view === "loops") page = loopList();
        else if (view === "gaps") page = gaps();
        else if (view === "main") return;
        else { current = "overview"; page = overview(); }
        const [title, ...nodes] = page;
        tip.hidden = true;
        document.title = `${title} - Cellog`;
        const partial = data.partial
            ? el("p", { class: "banner", role: "note" }, `Partial: ${data.partial}; what was not decided before is unknown.`) : null;
        main.replaceChildren(...[partial, ...nodes.flat()].filter(Boolean));
        document.querySelectorAll("nav a").forEach((link) => {
            if (link.dataset.view === current) {
                link.setAttribute("aria-current", "page");
                link.scrollIntoView({ inline: "nearest", block: "nearest" });
            }
            else link.removeAttribute("aria-current");
        });
        window.scrollTo(0, 0);
    }

    const help = document.getElementById("help");
    const themes = ["", "light", "dark"];
    function turnTheme() {
        const next = themes[(themes.indexOf(document.documentElement.dataset.theme || "") + 1) % themes.length];
        if (next) document.documentElement.dataset.theme = next;
        else delete document.documentElement.dataset.theme;
        document.getElementById("theme").textContent = next ? `Theme: ${next}` : "Theme";
    }
    function move(by) {
        const links = [...document.querySelectorAll("[data-finding]")];
        const next = links[Math.max(0, Math.min(links.length - 1, links.indexOf(document.activeElement) + by))];
        if (next) next.focus();
    }
    const press = (id) => { const b = document.getElementById(id); if (b) b.click(); };
    const keys = {
        "/": () => { if (!location.hash.startsWith("#/findings")) location.hash = "#/findings";
            setTimeout(() => document.getElementById("search")?.focus()); },
        j: () => move(1), k: () => move(-1), n: () => press("forth"), p: () => press("back"),
        ArrowRight: () => press("forth"), ArrowLeft: () => press("back"), t: turnTheme,
        g: () => { location.hash = "#/"; }, f: () => { location.hash = "#/findings"; }, s: () => { location.hash = "#/files"; },
        v: () => press("values"), "?": () => help.showModal(),
    };
    document.addEventListener("keydown", (e) => {
        if (e.ctrlKey || e.metaKey || e.altKey || help.open) return;
        if (/^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName)) {
            if (e.key === "Escape") e.target.blur();
            return;
        }
        if (e.key.startsWith("Arrow") && e.target.classList?.contains("source")) return;
        if (keys[e.key]) { e.preventDefault(); keys[e.key](); }
    });
    document.getElementById("theme").addEventListener("click", turnTheme);
    document.getElementById("keys").addEventListener("click", () => help.showModal());
    window.addEventListener("hashchange", route);
    route();
})();
