// For browsers that read no modules: a screen loads its page again, and shows all of it.
document.documentElement.className += ' no-modules';
setTimeout(() => {
  location.reload();
}, 60000);
