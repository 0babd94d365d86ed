import '../api/panel/every-control.test.ts';
