// The one script. Every page reads without it: scenes, filters and proofs are links and forms.
// It adds a slider, forms that send themselves, filters that do not reload, the theme, and the live stream.
"use strict";

const situation = () => document.querySelector("form.situation");
const cells = () => [...document.querySelectorAll("form.situation .ruler a[data-scene]")];

function slide() {
  const form = situation(), slider = form?.querySelector("input[type=range]"), scenes = cells();
  if (!slider || scenes.length < 2) return;
  slider.hidden = false;
  slider.max = scenes.length - 1;
  const all = form.querySelectorAll(".ruler ol > li").length; // by script: the policy allows no style attribute
  if (scenes.length < all) slider.style.width = `${(100 * scenes.length) / all}%`;
  slider.value = Math.max(0, scenes.findIndex((scene) => scene.classList.contains("now")));
  if (!form.querySelector(".now")) slider.value = scenes.length - 1;
  const say = () => {
    const scene = scenes[Number(slider.value)];
    slider.setAttribute("aria-valuetext", scene.title);
    form.querySelector("output").textContent = scene.title;
  };
  slider.setAttribute("aria-valuetext", form.querySelector("output").textContent);
  slider.addEventListener("input", say);
  slider.addEventListener("change", () => go(scenes[Number(slider.value)].href));
}

// The same page at another address: the server renders it whole, and only what differs is exchanged.
const PARTS = ["main", "form.situation", ".rail nav", ".rail .foot"];
const shown = {}; // each part as the server wrote it: what has not changed keeps the focus and stays
let latest = 0, wanted = null; // the address somebody has chosen and not been shown yet
async function go(href, remember = true) {
  const mine = ++latest;
  if (remember) wanted = href;
  const answer = await fetch(href, { headers: { accept: "text/html" } });
  if (mine !== latest) return;
  if (!answer.ok) return location.assign(href);
  const next = new DOMParser().parseFromString(await answer.text(), "text/html");
  const focused = document.activeElement?.id;
  const open = [...document.querySelectorAll("main details[open][id]")].map((one) => one.id);
  const typed = [...document.querySelectorAll("main input[id][type=text]")].map((one) => [one.id, one.value]);
  for (const part of PARTS) {
    const here = document.querySelector(part), there = next.querySelector(part);
    if (!here || !there || there.outerHTML === shown[part]) continue;
    shown[part] = there.outerHTML;
    here.replaceWith(there);
  }
  document.title = next.title;
  if (remember) history.replaceState(null, "", href);
  wanted = null;
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  for (const [id, value] of typed) if (document.getElementById(id)) document.getElementById(id).value = value;
  dress();
  if (focused) document.getElementById(focused)?.focus();
}

// News must not take the place of what somebody has just chosen.
const refresh = () => go(wanted ?? location.href, wanted !== null);

function dress() {
  slide();
  const theme = document.getElementById("theme");
  if (theme) {
    theme.hidden = false;
    theme.onclick = () => {
      const dark = getComputedStyle(document.documentElement).colorScheme === "dark" || (!document.documentElement.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches);
      document.documentElement.dataset.theme = dark ? "light" : "dark";
      document.cookie = `theme=${document.documentElement.dataset.theme}; path=/; max-age=31536000; samesite=strict`;
    };
  }
  for (const box of document.querySelectorAll("input[data-shows]")) {
    const name = `no-${box.dataset.shows}`;
    box.checked = !document.body.classList.contains(name);
    box.addEventListener("change", () => document.body.classList.toggle(name, !box.checked));
  }
  for (const form of document.querySelectorAll("form.situation, form[data-self]")) {
    form.addEventListener("change", (event) => event.target.matches("select, input[type=checkbox]") && form.requestSubmit());
  }
  for (const area of document.querySelectorAll("textarea")) {
    area.addEventListener("keydown", (event) => event.key === "Enter" && (event.ctrlKey || event.metaKey) && area.form.requestSubmit());
  }
}

// One stream for each page that is looked at: browsers allow six to a host, so a hidden page gives its own back.
let stream = null;
function listen() {
  if (document.hidden || stream) return;
  stream = new EventSource(`/live${location.search}`);
  const say = (words) => { const live = document.querySelector(".live"); if (live) live.textContent = words; };
  stream.addEventListener("changed", refresh);
  stream.addEventListener("filled", () => document.querySelector(".c.wait") && refresh());
  stream.addEventListener("busy", (event) => { const busy = JSON.parse(event.data); if (busy.total) say(`reading ${busy.done}/${busy.total} ${busy.title}`); });
  stream.addEventListener("failed", (event) => say(JSON.parse(event.data).what || "a file cannot be read"));
}
function rest() {
  stream?.close();
  stream = null;
}
document.addEventListener("visibilitychange", () => (document.hidden ? rest() : listen()));
addEventListener("pagehide", rest);
addEventListener("pageshow", listen);
for (const part of PARTS) shown[part] = document.querySelector(part)?.outerHTML;
dress();
listen();
