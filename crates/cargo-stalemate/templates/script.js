// Everything works without this script except grouping, filtering, accepting, the keys j and k, and the choice of colours.
"use strict";
(() => {
  const root = document.documentElement;
  root.classList.add("script");

  // Storage may be switched off, and then even asking for it fails.
  const stored = {
    get(key) {
      try { return localStorage.getItem(key); } catch { return null; }
    },
    set(key, value) {
      try { localStorage.setItem(key, value); } catch { /* The choice lasts as long as the page. */ }
    },
  };

  const THEME = "stalemate-theme";
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const theme = () => root.dataset.theme || (dark.matches ? "dark" : "light");
  const chosen = stored.get(THEME);
  if (chosen === "dark" || chosen === "light") root.dataset.theme = chosen;

  function prepareTheme() {
    const button = document.getElementById("theme");
    const show = () => { button.textContent = theme() === "dark" ? "Light" : "Dark"; };
    button.addEventListener("click", () => {
      root.dataset.theme = theme() === "dark" ? "light" : "dark";
      stored.set(THEME, root.dataset.theme);
      show();
    });
    dark.addEventListener("change", show);
    show();
  }

  // ---- keys ----

  const titles = () => [...document.querySelectorAll("[data-finding] .title")].filter((title) => title.offsetParent);

  function prepareKeys() {
    let current = -1;
    document.addEventListener("keydown", (event) => {
      const writes = event.target.closest && event.target.closest("input:not([type=radio]), textarea, select");
      if (writes || event.ctrlKey || event.metaKey || event.altKey) return;
      const step = { j: 1, k: -1 }[event.key];
      if (!step) return;
      const all = titles();
      if (!all.length) return;
      const focused = all.findIndex((title) => title.closest("[data-finding]").contains(document.activeElement));
      const from = focused >= 0 ? focused : current;
      current = Math.min(Math.max(from + step, 0), all.length - 1);
      all[current].focus();
      all[current].closest("[data-finding]").scrollIntoView({ block: "nearest" });
      event.preventDefault();
    });
  }

  // A target that stands in a folded part is unfolded.
  function unfold() {
    const target = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
    for (let fold = target && target.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  }

  // ---- the list of findings ----

  function element(name, className, text) {
    const made = document.createElement(name);
    if (className) made.className = className;
    if (text) made.textContent = text;
    return made;
  }

  // Names between backticks become code. Text is only ever set as text.
  function sentence(into, text) {
    const parts = text.split("`");
    const even = parts.length % 2 === 0;
    (even ? [text] : parts).forEach((part, index) => into.append(index % 2 ? element("code", "", part) : part));
  }

  function button(text, act) {
    const made = element("button", "", text);
    made.type = "button";
    made.dataset.act = act;
    return made;
  }

  function group(label, rows) {
    const section = element("section", "group");
    const head = element("div", "group-head");
    const title = element("h2");
    sentence(title, label);
    title.append(" ", element("span", "count"));
    const actions = element("span", "actions");
    if (rows.some((row) => !("accepted" in row.dataset))) actions.append(button("Accept all", "accept-group"));
    actions.append(button("Dismiss all", "dismiss-group"));
    head.append(title, actions);
    const list = element("ol", "rows");
    list.append(...rows);
    section.append(head, list);
    return section;
  }

  // For a shell; plain text stays readable.
  function quote(text) {
    return /^[\w ,.:;()/-]*$/.test(text) ? `"${text}"` : `'${text.replaceAll("'", "'\\''")}'`;
  }

  function prepareList() {
    const groups = document.getElementById("groups");
    const rows = [...groups.querySelectorAll(".row")];
    const tools = document.getElementById("tools");
    const panel = document.getElementById("command");
    const [filter, reason, text, status, restore] =
      ["filter", "reason", "command-text", "status", "restore"].map((id) => document.getElementById(id));
    const accepted = new Set();
    const dismissed = new Set();
    const words = new Map();

    const isOpen = (row) => !("accepted" in row.dataset);
    const rowsOf = (section) => [...section.querySelectorAll(".row")];

    function show() {
      const wanted = filter.value.trim().toLowerCase();
      let visible = 0;
      for (const row of rows) {
        if (wanted && !words.has(row)) words.set(row, row.querySelector(".what").textContent.toLowerCase());
        row.hidden = dismissed.has(row) || Boolean(wanted && !words.get(row).includes(wanted));
        visible += row.hidden ? 0 : 1;
      }
      for (const section of groups.children) {
        const count = rowsOf(section).filter((row) => !row.hidden).length;
        section.hidden = count === 0;
        section.querySelector(".count").textContent = count;
      }
      status.textContent = visible === rows.length ? "" : `${visible} of ${rows.length} shown`;
      restore.hidden = dismissed.size === 0;
      restore.textContent = `Show ${dismissed.size} dismissed`;
    }

    function regroup() {
      const key = new FormData(tools).get("group");
      const sorted = new Map();
      for (const row of rows) {
        const name = row.dataset[key];
        if (!sorted.has(name)) sorted.set(name, []);
        sorted.get(name).push(row);
      }
      groups.replaceChildren(...[...sorted].map(([name, some]) => group(name, some)));
      show();
    }

    function mark(row, on) {
      if (!isOpen(row)) return;
      if (on) accepted.add(row); else accepted.delete(row);
      row.classList.toggle("chosen", on);
      const control = row.querySelector("[data-act=accept]");
      control.setAttribute("aria-pressed", String(on));
      control.textContent = on ? "Accepted" : "Accept";
    }

    function command() {
      const fingerprints = [...new Set(rows.filter((row) => accepted.has(row)).map((row) => row.dataset.finding))];
      panel.hidden = fingerprints.length === 0;
      document.getElementById("accepted-count").textContent = fingerprints.length;
      text.value = panel.dataset.command
        .replace("{fingerprints}", () => fingerprints.join(" "))
        .replace("{reason}", () => quote(reason.value));
      document.getElementById("copied").textContent = "";
    }

    const acts = {
      accept: (row) => mark(row, !accepted.has(row)),
      dismiss: (row) => dismissed.add(row),
    };

    groups.addEventListener("click", (event) => {
      const act = event.target.dataset.act;
      if (!act) return;
      if (act in acts) {
        acts[act](event.target.closest(".row"));
      } else {
        const some = rowsOf(event.target.closest(".group")).filter((row) => !row.hidden);
        const on = some.some((row) => isOpen(row) && !accepted.has(row));
        some.forEach((row) => (act === "accept-group" ? mark(row, on) : dismissed.add(row)));
      }
      command();
      if (act.startsWith("dismiss")) show();
    });
    restore.addEventListener("click", () => { dismissed.clear(); show(); filter.focus(); });
    tools.addEventListener("change", (event) => { if (event.target.name === "group") regroup(); });
    tools.addEventListener("submit", (event) => event.preventDefault());
    filter.addEventListener("input", show);
    reason.addEventListener("input", command);
    document.getElementById("clear").addEventListener("click", () => { rows.forEach((row) => mark(row, false)); command(); });
    document.getElementById("copy").addEventListener("click", async () => {
      const copied = document.getElementById("copied");
      try {
        await navigator.clipboard.writeText(text.value);
        copied.textContent = "Copied";
      } catch {
        text.select();
        copied.textContent = "Selected: copy it with the keyboard";
      }
    });
    // A browser that comes back to the page keeps the chosen button.
    if (new FormData(tools).get("group") !== "confidence") regroup();
  }

  document.addEventListener("DOMContentLoaded", () => {
    prepareTheme();
    prepareKeys();
    if (document.getElementById("groups")) prepareList();
    unfold();
  });
  addEventListener("hashchange", unfold);
})();
