// The sheet in its frame is as wide as the page has room, and the button prints it. Without this script
// the button opens the sheet, which prints itself.
const paper = document.getElementById('paper');
if (paper) {
  const fit = () => {
    const box = paper.parentElement;
    const share = Math.min(1, box.clientWidth / paper.offsetWidth);
    paper.style.transform = `scale(${share})`;
    box.style.height = `${paper.offsetHeight * share}px`;
  };
  fit();
  addEventListener('resize', fit);
  document.querySelector('[data-print="paper"]').addEventListener('click', (event) => {
    // A frame that has no menu yet has nothing to print.
    if (!paper.contentDocument?.getElementById('menu')) return;
    event.preventDefault();
    paper.contentWindow.print();
  });
}

for (const button of document.querySelectorAll('[data-print="page"]')) {
  button.hidden = false;
  button.addEventListener('click', () => print());
}
