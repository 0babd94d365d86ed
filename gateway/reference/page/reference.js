// Search in the reference: hides the operations and schemas that lack a word.
// Without JavaScript the page shows all.
const input = document.querySelector('#search');
const output = document.querySelector('output');
const operations = [...document.querySelectorAll('.operation')];
const texts = operations.map((one) => one.textContent.toLowerCase());

input.parentElement.hidden = false;
input.addEventListener('input', () => {
  const words = input.value.toLowerCase().split(/\s+/);
  let count = 0;
  operations.forEach((operation, index) => {
    operation.hidden = !words.every((word) => texts[index].includes(word));
    if (!operation.hidden) count += 1;
  });
  for (const section of document.querySelectorAll('section')) {
    section.hidden = !section.querySelector('.operation:not([hidden])');
  }
  output.textContent = input.value === '' ? '' : `${count} found`;
});

/** Opens the operation that the address names. */
function openNamed() {
  const named = document.getElementById(location.hash.slice(1));
  if (named instanceof HTMLDetailsElement) named.open = true;
}
addEventListener('hashchange', openNamed);
openNamed();
document.documentElement.dataset.begun = '';
