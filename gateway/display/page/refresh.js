// For browsers that read no modules: a screen loads its page again, and shows all of it.
document.documentElement.className += ' no-modules';
// biome-ignore lint/complexity/useArrowFunction: browsers that read no modules may lack arrows, too
setTimeout(function () {
  location.reload();
}, 60000);
