// biome-ignore-all lint/complexity/useArrowFunction: browsers without modules may lack arrows, too
// A screen without a place asks again and again, and loads its page when that shows something else.
// It is for browsers of any age: without script the page loads itself again.
(function () {
  var main = document.querySelector('main');
  var shown = main.getAttribute('data-letters');
  setInterval(function () {
    var request = new XMLHttpRequest();
    request.open('GET', location.href);
    request.setRequestHeader('Accept', 'text/html');
    request.onload = function () {
      var found = /data-letters="([^"]*)"/.exec(request.responseText);
      if (request.status === 200 && (!found || found[1] !== shown)) location.reload();
    };
    request.send();
  }, main.getAttribute('data-seconds') * 1000);
  document.documentElement.setAttribute('data-begun', '');
})();
