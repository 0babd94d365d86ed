# The round of an integrator in Ruby, with its own `net/http`. `judge-by-languages.ts` starts it.
require 'base64'
require 'json'
require 'net/http'
require 'openssl'
require 'socket'
require 'timeout'

API = URI(ENV.fetch('API'))
HOST = { 'Host' => ENV.fetch('API_HOST') }.freeze
TOKEN = HOST.merge('Authorization' => "Bearer #{ENV.fetch('TOKEN')}").freeze
BOUND = 30
METHODS = { 'GET' => Net::HTTP::Get, 'POST' => Net::HTTP::Post, 'PATCH' => Net::HTTP::Patch,
            'DELETE' => Net::HTTP::Delete }.freeze

def check(is_so, told)
  raise told.to_s unless is_so
end

def send_request(method, path, headers, body = nil)
  request = METHODS.fetch(method).new(API.path + path, headers)
  if body
    request['Content-Type'] = 'application/json'
    request.body = JSON.generate(body)
  end
  Net::HTTP.start(API.host, API.port, read_timeout: BOUND) { |http| http.request(request) }
end

def call(method, path, status, body = nil, headers = {})
  answer = send_request(method, "/admin#{path}", TOKEN.merge(headers), body)
  check(answer.code == status, "#{method} #{path}: #{answer.code} #{answer.body}")
  answer
end

def json(answer)
  JSON.parse(answer.body)
end

def read
  first = send_request('GET', '/menu', HOST)
  check(first.code == '200' && json(first)['success'], first.body)
  again = send_request('GET', '/menu', HOST.merge('If-None-Match' => first['ETag']))
  check(again.code == '304' && again.body.to_s.empty?, again.code)
end

def write
  section = json(call('POST', '/categories', '201', { name: { it: 'Primi' } }))['data']['id']
  dish = { category_id: section, name: { it: 'Crème brûlée 日本' }, price: 9.5 }
  job = call('POST', '/items', '202', dish, 'Prefer' => 'respond-async')['Location'].split('/admin', 2)[1]
  answer = Timeout.timeout(BOUND) do
    loop do
      found = send_request('GET', "/admin#{job}", TOKEN)
      break found unless found.code == '202'

      sleep(found['Retry-After'].to_f)
    end
  end
  check(answer.code == '201', answer.body)
  made = json(answer)['data']
  check(made['name'] == 'Crème brûlée 日本' && made['price'] == 9.5, made)
  made['id']
end

def refuse
  told = json(call('POST', '/items', '422', { price: -1 }))
  check(told['errors'].keys.sort == told['codes'].keys.sort, told)
  check(told['codes']['price'][0]['rule'] == 'min' && told['codes'].key?('category_id'), told)
end

def follow(dish)
  events = Queue.new
  listener = Thread.new do
    Net::HTTP.start(API.host, API.port, read_timeout: BOUND) do |http|
      http.request(Net::HTTP::Get.new("#{API.path}/stream", HOST)) do |answer|
        text = +''
        answer.read_body do |piece|
          text << piece
          while (block = text.slice!(/\A.*?\n\n/m))
            events << JSON.parse(block[/^data: (.*)$/, 1])['version'] if block.include?('event: version')
          end
        end
      end
    end
  end
  last = Timeout.timeout(BOUND) { events.pop }
  (10..12).each do |price|
    # The next event comes while nothing else happens.
    call('PATCH', "/items/#{dish}", '200', { price: price })
    now = Timeout.timeout(BOUND) { events.pop }
    check(now == last + 1, [last, now])
    last = now
  end
  listener.kill
end

def take_message(server)
  Timeout.timeout(BOUND) do
    socket = server.accept
    socket.gets
    headers = {}
    while (line = socket.gets.chomp) != ''
      name, value = line.split(': ', 2)
      headers[name.downcase] = value
    end
    body = socket.read(headers['content-length'].to_i)
    socket.write("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
    socket.close
    [headers, body]
  end
end

def hear(dish)
  server = TCPServer.new('127.0.0.1', 0)
  hook = { url: "http://127.0.0.1:#{server.addr[1]}/", events: ['menu.version'] }
  made = json(call('POST', '/webhooks', '201', hook))['data']
  call('PATCH', "/items/#{dish}", '200', { price: 20 })
  headers, body = take_message(server)
  key = Base64.decode64(made['secret'].delete_prefix('whsec_'))
  signed = "#{headers['webhook-id']}.#{headers['webhook-timestamp']}.".b + body
  mark = "v1,#{Base64.strict_encode64(OpenSSL::HMAC.digest('SHA256', key, signed))}"
  check(headers['webhook-signature'].split.include?(mark), headers)
  changes = JSON.parse(body)['data']['entries'][0]['changes']
  check(changes[0]['fields']['price'] == [12, 20], changes)
  call('DELETE', "/webhooks/#{made['id']}", '204')
end

def wait
  answer = nil
  1000.times do
    answer = send_request('GET', '/menu', HOST)
    break unless answer.code == '200'
  end
  check(answer.code == '429' && json(answer)['message'] == 'Too Many Attempts.', answer.body)
  check(answer['X-RateLimit-Remaining'] == '0', answer['X-RateLimit-Remaining'])
  sleep(Integer(answer['Retry-After']))
  check(send_request('GET', '/menu', HOST).code == '200', 'it is still limited')
end

$stdout.sync = true
read
puts 'read'
dish = write
puts 'write'
refuse
puts '422'
follow(dish)
puts 'stream'
hear(dish)
puts 'webhook'
wait
puts '429'
