// The last of the scripts: from now on the page answers to clicks and keys as it should.
document.documentElement.dataset.begun = '';
