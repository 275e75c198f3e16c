// Drawings: lines over an axis, and fields of a table. A drawing is as wide as its place, so that its text keeps its size.
export function element(name, attributes, text = '') {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.textContent = text;
  return made;
}

// `lines` is a list of { kind, points: [[x, y], ..] }; x and y are { from, to, ticks: [[value, text], ..] }.
export function drawLines(svg, { x, y, lines, note }) {
  const width = svg.clientWidth || 640;
  const height = svg.clientHeight || 220;
  const left = 34, right = 8, top = 8, bottom = 24;
  const acrossOf = (value) => left + ((value - x.from) / (x.to - x.from)) * (width - left - right);
  const downOf = (value) => height - bottom - ((value - y.from) / (y.to - y.from)) * (height - top - bottom);
  const all = [];
  for (const [value, text] of y.ticks) {
    all.push(element('line', { class: 'axis', x1: left, x2: width - right, y1: downOf(value), y2: downOf(value) }));
    all.push(element('text', { x: left - 6, y: downOf(value) + 4, 'text-anchor': 'end' }, text));
  }
  for (const [value, text] of x.ticks) {
    const anchor = value === x.from ? 'start' : value === x.to ? 'end' : 'middle';
    all.push(element('text', { x: acrossOf(value), y: height - 6, 'text-anchor': anchor }, text));
  }
  for (const { kind, points } of lines) {
    const path = points.map(([a, b]) => `${acrossOf(a).toFixed(1)},${downOf(Math.min(y.to, b)).toFixed(1)}`).join(' ');
    all.push(element('polyline', { class: kind, points: path }));
  }
  if (note) all.push(element('text', { x: width - right, y: downOf(note.at) - 6, 'text-anchor': 'end' }, note.text));
  svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
  svg.replaceChildren(...all);
}

// A table of fields with `rows` and `columns`, words at its left and above, and an answer at the right of each row.
export function makeFields(svg, size) {
  const side = 30, left = 40, top = 26;
  svg.setAttribute('viewBox', `0 0 ${left + size * side + 40} ${top + size * side + 4}`);
  const text = (x, y) => svg.appendChild(element('text', { x, y, 'text-anchor': 'middle' }));
  const fields = [];
  const columns = [], rows = [], answers = [];
  for (let row = 0; row < size; ++row) {
    columns.push(text(left + (row + 0.5) * side, top - 8));
    rows.push(text(left / 2, top + (row + 0.5) * side + 4));
    answers.push(text(left + size * side + 20, top + (row + 0.5) * side + 4));
    for (let column = 0; column < size; ++column) {
      const place = { x: left + column * side, y: top + row * side, width: side, height: side };
      svg.appendChild(element('rect', { class: 'frame', ...place }));
      fields.push(svg.appendChild(element('rect', { class: 'field', 'fill-opacity': 0, ...place })));
    }
  }
  const asked = svg.appendChild(element('rect', { class: 'asked', x: left, y: top, width: size * side, height: side }));
  return {
    show({ weights, above, before, after, row }) {
      weights.forEach((weight, k) => fields[k].setAttribute('fill-opacity', weight.toFixed(3)));
      above.forEach((word, k) => (columns[k].textContent = word));
      before.forEach((word, k) => (rows[k].textContent = word));
      after.forEach((word, k) => (answers[k].textContent = word));
      rows.forEach((word, k) => word.setAttribute('class', k === row ? 'strong' : ''));
      answers.forEach((word, k) => word.setAttribute('class', k === row ? 'strong' : ''));
      asked.setAttribute('y', top + row * side);
    },
  };
}
