// The round of an integrator in Java, with its own HTTP client and no library for JSON. `judge-by-languages.ts`
// starts it.
import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Round {
    static final String API = System.getenv("API");
    static final String TOKEN = "Bearer " + System.getenv("TOKEN");
    static final int BOUND = 30;
    static final HttpClient CLIENT =
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    record Message(String id, String timestamp, String signature, byte[] body) {}

    static void check(boolean isSo, Object told) {
        if (!isSo) throw new IllegalStateException(String.valueOf(told));
    }

    static HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(API + path))
            .header("Host", System.getenv("API_HOST"))
            .timeout(Duration.ofSeconds(BOUND));
    }

    static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return CLIENT.send(request.build(), BodyHandlers.ofString());
    }

    static HttpResponse<String> call(String method, String path, int status, String body, String... headers)
        throws Exception {
        HttpRequest.Builder request = request("/admin" + path).header("Authorization", TOKEN);
        if (headers.length > 0) request.headers(headers);
        if (body != null) request.header("Content-Type", "application/json");
        request.method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        HttpResponse<String> answer = send(request);
        check(answer.statusCode() == status, method + " " + path + ": " + answer.statusCode() + " " + answer.body());
        return answer;
    }

    static String header(HttpResponse<?> answer, String name) {
        return answer.headers().firstValue(name).orElseThrow();
    }

    static String find(String text, String pattern) {
        Matcher found = Pattern.compile(pattern).matcher(text);
        check(found.find(), pattern + " is not in " + text);
        return found.group(1);
    }

    static void read() throws Exception {
        HttpResponse<String> first = send(request("/menu"));
        check(first.statusCode() == 200 && first.body().startsWith("{\"success\":true"), first.body());
        HttpResponse<String> again = send(request("/menu").header("If-None-Match", header(first, "ETag")));
        check(again.statusCode() == 304 && again.body().isEmpty(), again.statusCode());
    }

    static String write() throws Exception {
        String made = call("POST", "/categories", 201, "{\"name\": {\"it\": \"Primi\"}}").body();
        String section = find(made, "\"id\":(\\d+)");
        String dish = "{\"category_id\": " + section + ", \"name\": {\"it\": \"Crème brûlée 日本\"}, \"price\": 9.5}";
        HttpResponse<String> answer = call("POST", "/items", 202, dish, "Prefer", "respond-async");
        String job = header(answer, "Location").split("/admin", 2)[1];
        long bound = System.nanoTime() + TimeUnit.SECONDS.toNanos(BOUND);
        do {
            check(System.nanoTime() < bound, "the job does not end");
            Thread.sleep(1000 * Long.parseLong(header(answer, "Retry-After")));
            answer = send(request("/admin" + job).header("Authorization", TOKEN));
        } while (answer.statusCode() == 202);
        check(answer.statusCode() == 201, answer.body());
        check(answer.body().contains("\"name\":\"Crème brûlée 日本\""), answer.body());
        check(find(answer.body(), "\"price\":([\\d.]+)").equals("9.5"), answer.body());
        return find(answer.body(), "\"id\":(\\d+)");
    }

    static void refuse() throws Exception {
        String told = call("POST", "/items", 422, "{\"price\": -1}").body();
        find(told, "(\"errors\":\\{[^}]*\"price\":\\[\")");
        check(find(told, "\"codes\":.*\"price\":\\[\\{\"rule\":\"(\\w+)\"").equals("min"), told);
        find(told, "(\"codes\":.*\"category_id\")");
    }

    static long nextVersion(Iterator<String> lines) {
        String name = "";
        String data = "";
        while (true) {
            String line = lines.next();
            if (line.startsWith("event: ")) name = line.substring(7);
            else if (line.startsWith("data: ")) data = line.substring(6);
            else if (line.isEmpty() && name.equals("version")) return Long.parseLong(find(data, "\"version\":(\\d+)"));
        }
    }

    static void follow(String dish) throws Exception {
        HttpResponse<Stream<String>> answer = CLIENT.send(request("/stream").build(), BodyHandlers.ofLines());
        BlockingQueue<Long> events = new LinkedBlockingQueue<>();
        Thread listener = new Thread(() -> {
            Iterator<String> lines = answer.body().iterator();
            while (true) events.add(nextVersion(lines));
        });
        listener.setDaemon(true);
        listener.start();
        Long last = events.poll(BOUND, TimeUnit.SECONDS);
        check(last != null, "no event comes");
        for (int price = 10; price < 13; price += 1) {
            // The next event comes while nothing else happens.
            call("PATCH", "/items/" + dish, 200, "{\"price\": " + price + "}");
            Long now = events.poll(BOUND, TimeUnit.SECONDS);
            check(now != null && now == last + 1, last + " " + now);
            last = now;
        }
    }

    static void hear(String dish) throws Exception {
        BlockingQueue<Message> arrived = new LinkedBlockingQueue<>();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            List<String> marks = Stream.of("webhook-id", "webhook-timestamp", "webhook-signature")
                .map(name -> exchange.getRequestHeaders().getFirst(name)).toList();
            byte[] body = exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
            arrived.add(new Message(marks.get(0), marks.get(1), marks.get(2), body));
        });
        server.start();
        String url = "http://127.0.0.1:" + server.getAddress().getPort() + "/";
        String hook = "{\"url\": \"" + url + "\", \"events\": [\"menu.version\"]}";
        String made = call("POST", "/webhooks", 201, hook).body();
        call("PATCH", "/items/" + dish, 200, "{\"price\": 20}");
        Message message = arrived.poll(BOUND, TimeUnit.SECONDS);
        check(message != null, "no message comes");
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(Base64.getDecoder().decode(find(made, "\"whsec_([^\"]+)\"")), "HmacSHA256"));
        mac.update((message.id() + "." + message.timestamp() + ".").getBytes(StandardCharsets.UTF_8));
        String mark = "v1," + Base64.getEncoder().encodeToString(mac.doFinal(message.body()));
        check(Arrays.asList(message.signature().split(" ")).contains(mark), message);
        String body = new String(message.body(), StandardCharsets.UTF_8);
        check(find(body, "\"price\":(\\[[^\\]]*\\])").equals("[12,20]"), body);
        call("DELETE", "/webhooks/" + find(made, "\"id\":(\\d+)"), 204, null);
        server.stop(0);
    }

    static void pause() throws Exception {
        HttpResponse<String> answer = send(request("/menu"));
        for (int count = 0; count < 1000 && answer.statusCode() == 200; count += 1) answer = send(request("/menu"));
        check(answer.statusCode() == 429 && answer.body().contains("Too Many Attempts."), answer.body());
        check(header(answer, "X-RateLimit-Remaining").equals("0"), answer.headers());
        Thread.sleep(1000 * Long.parseLong(header(answer, "Retry-After")));
        check(send(request("/menu")).statusCode() == 200, "it is still limited");
    }

    public static void main(String[] args) throws Exception {
        read();
        System.out.println("read");
        String dish = write();
        System.out.println("write");
        refuse();
        System.out.println("422");
        follow(dish);
        System.out.println("stream");
        hear(dish);
        System.out.println("webhook");
        pause();
        System.out.println("429");
        System.exit(0);
    }
}
