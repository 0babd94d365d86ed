<?php
// The round of an integrator in PHP, with its extension curl. `judge-by-languages.ts` starts it. Started by
// PHP's own web server, the same file is the receiver of a webhook.
const BOUND = 30;

if (PHP_SAPI === 'cli-server') {
    $headers = array_change_key_case(getallheaders());
    $message = json_encode(['headers' => $headers, 'body' => file_get_contents('php://input')]);
    file_put_contents(getenv('ARRIVED'), $message, LOCK_EX);
    http_response_code(204);
    return;
}

function check(bool $isSo, mixed $told): void
{
    if (!$isSo) {
        throw new Exception(is_string($told) ? $told : json_encode($told));
    }
}

/** A request; `$onPiece` gets the body piece by piece, and ends the answer when it does not return its length. */
function request(string $method, string $path, array $headers = [], ?array $body = null, ?callable $onPiece = null): array
{
    $lines = ['Host: ' . getenv('API_HOST')];
    foreach ($headers as $name => $value) {
        $lines[] = "$name: $value";
    }
    $told = [];
    $text = '';
    $curl = curl_init(getenv('API') . $path);
    if ($body !== null) {
        $lines[] = 'Content-Type: application/json';
        curl_setopt($curl, CURLOPT_POSTFIELDS, json_encode($body));
    }
    curl_setopt_array($curl, [
        CURLOPT_CUSTOMREQUEST => $method,
        CURLOPT_HTTPHEADER => $lines,
        CURLOPT_TIMEOUT => BOUND,
        CURLOPT_HEADERFUNCTION => function ($curl, $line) use (&$told) {
            [$name, $value] = explode(':', $line, 2) + [1 => ''];
            $told[strtolower($name)] = trim($value);
            return strlen($line);
        },
        CURLOPT_WRITEFUNCTION => $onPiece ?? function ($curl, $piece) use (&$text) {
            $text .= $piece;
            return strlen($piece);
        },
    ]);
    curl_exec($curl);
    return [curl_getinfo($curl, CURLINFO_RESPONSE_CODE), $told, $text, json_decode($text, true)];
}

function admin(string $method, string $path, int $wanted, ?array $body = null, array $more = []): array
{
    $token = ['Authorization' => 'Bearer ' . getenv('TOKEN')];
    $answer = request($method, "/admin$path", $token + $more, $body);
    check($answer[0] === $wanted, "$method $path: $answer[0] $answer[2]");
    return $answer;
}

function readMenu(): void
{
    [$status, $headers, $text, $json] = request('GET', '/menu');
    check($status === 200 && $json['success'], $text);
    [$status, , $text] = request('GET', '/menu', ['If-None-Match' => $headers['etag']]);
    check($status === 304 && $text === '', $status);
}

function write(): int
{
    $section = admin('POST', '/categories', 201, ['name' => ['it' => 'Primi']])[3]['data']['id'];
    $dish = ['category_id' => $section, 'name' => ['it' => 'Crème brûlée 日本'], 'price' => 9.5];
    [, $headers] = admin('POST', '/items', 202, $dish, ['Prefer' => 'respond-async']);
    $job = '/admin' . explode('/admin', $headers['location'], 2)[1];
    $bound = microtime(true) + BOUND;
    do {
        [$status, $headers, $text, $json] = request('GET', $job, ['Authorization' => 'Bearer ' . getenv('TOKEN')]);
        check(microtime(true) < $bound, 'the job does not end');
        sleep((int) ($headers['retry-after'] ?? 0));
    } while ($status === 202);
    check($status === 201, $text);
    check($json['data']['name'] === $dish['name']['it'] && $json['data']['price'] === 9.5, $json);
    return $json['data']['id'];
}

function refuse(): void
{
    $told = admin('POST', '/items', 422, ['price' => -1])[3];
    check(array_keys($told['errors']) == array_keys($told['codes']), $told);
    check($told['codes']['price'][0]['rule'] === 'min' && isset($told['codes']['category_id']), $told);
}

function follow(int $dish): void
{
    $versions = [];
    $text = '';
    $onPiece = function ($curl, $piece) use (&$versions, &$text, $dish): int {
        $blocks = explode("\n\n", $text . $piece);
        $text = array_pop($blocks);
        foreach ($blocks as $block) {
            if (!str_contains($block, 'event: version')) {
                continue;
            }
            preg_match('/^data: (.*)$/m', $block, $found);
            $versions[] = json_decode($found[1], true)['version'];
            if (count($versions) > 3) {
                return 0;
            }
            // The next event comes while nothing else happens.
            admin('PATCH', "/items/$dish", 200, ['price' => 9 + count($versions)]);
        }
        return strlen($piece);
    };
    request('GET', '/stream', [], null, $onPiece);
    check(count($versions) === 4 && $versions === range($versions[0], $versions[0] + 3), $versions);
}

function hear(int $dish): void
{
    $arrived = getenv('ARRIVED');
    $port = getenv('RECEIVER_PORT');
    $server = proc_open([PHP_BINARY, '-q', '-S', "127.0.0.1:$port", __FILE__], [2 => ['file', '/dev/null', 'w']], $pipes);
    $until = function (callable $isSo) use (&$server): void {
        for ($bound = microtime(true) + BOUND; !$isSo(); usleep(20_000)) {
            check(microtime(true) < $bound, 'nothing comes');
        }
    };
    try {
        $until(fn () => @fsockopen('127.0.0.1', (int) $port) !== false);
        $hook = ['url' => "http://127.0.0.1:$port/", 'events' => ['menu.version']];
        $made = admin('POST', '/webhooks', 201, $hook)[3]['data'];
        admin('PATCH', "/items/$dish", 200, ['price' => 20]);
        $until(fn () => file_exists($arrived) && json_decode(file_get_contents($arrived)) !== null);
        ['headers' => $headers, 'body' => $body] = json_decode(file_get_contents($arrived), true);
        $key = base64_decode(substr($made['secret'], strlen('whsec_')));
        $signed = "{$headers['webhook-id']}.{$headers['webhook-timestamp']}.$body";
        $mark = 'v1,' . base64_encode(hash_hmac('sha256', $signed, $key, true));
        check(in_array($mark, explode(' ', $headers['webhook-signature']), true), $headers);
        $changes = json_decode($body, true)['data']['entries'][0]['changes'];
        check($changes[0]['fields']['price'] == [12, 20], $changes);
        admin('DELETE', "/webhooks/{$made['id']}", 204);
    } finally {
        proc_terminate($server);
    }
}

function wait(): void
{
    for ($count = 0; $count < 1000; $count++) {
        [$status, $headers, $text, $json] = request('GET', '/menu');
        if ($status !== 200) {
            break;
        }
    }
    check($status === 429 && $json['message'] === 'Too Many Attempts.', $text);
    check($headers['x-ratelimit-remaining'] === '0', $headers);
    sleep((int) $headers['retry-after']);
    check(request('GET', '/menu')[0] === 200, 'it is still limited');
}

readMenu();
echo "read\n";
$dish = write();
echo "write\n";
refuse();
echo "422\n";
follow($dish);
echo "stream\n";
hear($dish);
echo "webhook\n";
wait();
echo "429\n";
