// A document of two lanes that look the same for 59 steps and lie far apart: in the one the secret is red, in the other green, and
// the 60th observation tells. Usage: node far.mjs LENGTH APART NAMES, where NAMES are those of the two coordinates.

const [length, apart, names] = [Number(process.argv[2]), Number(process.argv[3]), process.argv[4].split(",")];
const TELLS = 60;

const vertices = {};
const edges = [];
[["red", 0], ["green", apart]].forEach(([secret, lane]) => {
  for (let i = 0; i <= length; i += 1) {
    const props = { [names[0]]: lane, [names[1]]: i, secret };
    vertices[`u_${secret}_${i}`] = { kind: "action", ...(i === TELLS ? { goal: true } : {}), props };
    vertices[`y_${secret}_${i}`] = { kind: "observation", props };
    if (i > 0) edges.push({ from: `u_${secret}_${i - 1}`, to: `y_${secret}_${i}`, labels: ["go"] });
    edges.push({ from: `y_${secret}_${i}`, to: `u_${secret}_${i}`, labels: [i === TELLS ? secret : "nothing"] });
  }
});
const plan = { vertices: {}, initial: ["p0"], edges: [] };
for (let i = 0; i <= TELLS; i += 1) {
  plan.vertices[`p${i}`] = { kind: "action", ...(i === TELLS ? { terminal: true } : {}) };
  if (i < TELLS) {
    plan.vertices[`q${i}`] = { kind: "observation" };
    plan.edges.push({ from: `p${i}`, to: `q${i}`, labels: ["go"] });
    plan.edges.push({ from: `q${i}`, to: `p${i + 1}`, labels: i + 1 === TELLS ? ["red", "green"] : ["nothing"] });
  }
}
const map = Object.fromEntries(["go", "nothing", "red", "green"].map((label) => [label, label]));
const stipulations = [{ name: "hide", scope: "always", formula: "!knows(secret = red)" }];
console.log(JSON.stringify({
  format: "divulge/1", name: "two lanes", world: { vertices, initial: ["u_red_0", "u_green_0"], edges }, plan,
  observers: [{ name: "public", map, knows: "plan", stipulations }],
}));
