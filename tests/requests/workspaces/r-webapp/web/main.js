import dayjs from "dayjs";

const API = "/api";
const REFRESH_MS = 60000;
let darkMode = false;

async function loadStations() {
  const res = await fetch(`${API}/stations`);
  return res.json();
}

function render(list) {
  console.log("render", list.length);
  const ul = document.querySelector("#stations");
  ul.innerHTML = list.map((s) => `<li>${s}</li>`).join("");
}

// TODO: show an error to the user
loadStations().then(render);
setInterval(() => loadStations().then(render), REFRESH_MS);
console.log("loaded", dayjs().format());
