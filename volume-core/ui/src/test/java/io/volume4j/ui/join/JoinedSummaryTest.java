package io.volume4j.ui.join;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** How summaries become one. */
class JoinedSummaryTest {
    private static final String OWN = """
            {"title":"all","at":1,"actions":true,"revision":5,"sources":[{"name":"claims"}],
             "counts":{"failing":1,"uncertain":0,"waiting":0,"working":0,"ok":2},
             "attention":[{"source":"claims","key":"w","state":"waiting"}],
             "calls":[{"source":"claims","id":"1","state":"RUNNING","age":50}],"lanes":[],
             "rates":{"seconds":5,"perSecond":[1,0],"failedPerSecond":[1,0],"p50":[10,0],"p99":[20,0]},
             "kinds":[{"kind":"MOUNT","count":1,"failed":1,"p50":10,"p99":10,"max":10}],
             "slow":[{"source":"claims","key":"w","millis":5}],"recent":[{"source":"claims","at":10}]}
            """;
    private static final String THEIRS = """
            {"title":"n1","at":1,"actions":false,"revision":7,"sources":[{"name":"n1","health":{"live":true,"reasons":[]}}],
             "counts":{"failing":2,"uncertain":1,"waiting":0,"working":0,"ok":40},
             "attention":[{"source":"n1","key":"f","state":"failing"}],
             "calls":[{"source":"n1","id":"2","state":"RUNNING","age":90},{"source":"claims","id":"3","state":"WRITTEN_OFF","age":1}],
             "lanes":[{"source":"n1","plugin":"mem"}],
             "rates":{"seconds":5,"perSecond":[3,2],"failedPerSecond":[0,1],"p50":[2,4],"p99":[100,8]},
             "kinds":[{"kind":"MOUNT","count":3,"failed":0,"p50":2,"p99":30,"max":40},{"kind":"EXPAND","count":1,"failed":0,"p50":1,"p99":1,"max":1}],
             "slow":[{"source":"n1","key":"f","millis":50}],"recent":[{"source":"n1","at":20}]}
            """;

    /** Such a clock may start anywhere, and may overflow. */
    private static final long NOW = Long.MAX_VALUE - 1;

    /** The last one of those that are made at these ages of what the view said. */
    private ObjectNode joined(Duration... ages) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            byte[] body = THEIRS.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        try {
            URI address = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
            JoinedView view = new JoinedView("n1", address, "t", HttpClient.newHttpClient(), () -> NOW);
            view.refresh();
            Awaitility.await()
                    .atMost(Duration.ofMinutes(1))
                    .until(() -> view.answer().isPresent());
            ObjectNode last = null;
            for (Duration age : ages) {
                ObjectNode own = (ObjectNode) new ObjectMapper().readTree(OWN);
                last = JoinedSummary.of(own, List.of(view), NOW + age.toNanos());
            }
            return Objects.requireNonNull(last, "at least one age");
        } finally {
            server.stop(0);
        }
    }

    @Test
    void countsAndRatesAreSumsAndListsAreInTheirOrder() throws Exception {
        ObjectNode summary = joined(Duration.ZERO);

        assertThat(summary.path("title").asText()).isEqualTo("all");
        assertThat(summary.path("revision").asInt()).isEqualTo(12);
        assertThat(summary.path("counts").toString())
                .isEqualTo("{\"failing\":3,\"uncertain\":1,\"waiting\":0,\"working\":0,\"ok\":42}");
        assertThat(summary.path("sources").findValuesAsText("name")).containsExactly("claims", "n1");
        assertThat(summary.path("attention").findValuesAsText("key")).containsExactly("f", "w");
        assertThat(summary.path("calls").findValuesAsText("id")).containsExactly("3", "2", "1");
        assertThat(summary.path("lanes").findValuesAsText("plugin")).containsExactly("mem");
        assertThat(summary.path("slow").findValuesAsText("key")).containsExactly("f", "w");
        assertThat(summary.path("recent").findValuesAsText("at")).containsExactly("20", "10");
        JsonNode rates = summary.path("rates");
        assertThat(rates.path("perSecond").toString()).isEqualTo("[4.0,2.0]");
        assertThat(rates.path("failedPerSecond").toString()).isEqualTo("[1.0,1.0]");
        assertThat(rates.path("p50").toString()).isEqualTo("[4.0,4.0]");
        assertThat(rates.path("p99").toString()).isEqualTo("[100.0,8.0]");
        assertThat(summary.path("kinds").get(0).toString())
                .isEqualTo("{\"kind\":\"MOUNT\",\"count\":4,\"failed\":1,\"p50\":4.0,\"p99\":30.0,\"max\":40.0}");
        assertThat(summary.path("kinds")).hasSize(2);
    }

    @Test
    void whatIsOldIsShownWithItsAgeAsNotLive() throws Exception {
        JsonNode source = joined(Duration.ofSeconds(9)).path("sources").get(1);

        assertThat(source.path("health").path("live").asBoolean()).isFalse();
        assertThat(source.path("health").path("reasons").toString()).contains("what is shown is 9 s old");
    }

    @Test
    void eachSummaryIsMadeOfWhatTheViewSaidAndNotOfTheOneBefore() throws Exception {
        ObjectNode again = joined(Duration.ofSeconds(8), Duration.ofSeconds(9));

        assertThat(again.path("calls").findValuesAsText("source")).containsExactly("n1/claims", "n1", "claims");
        assertThat(again.path("sources").get(1).path("health").path("reasons"))
                .extracting(JsonNode::asText)
                .singleElement()
                .asString()
                .contains("9 s old");
    }

    @Test
    void aViewThatHasNeverAnsweredIsASourceThatIsNotLive() throws Exception {
        JoinedView never =
                new JoinedView("n2", URI.create("http://127.0.0.1:1/"), "t", HttpClient.newHttpClient(), () -> NOW);
        ObjectNode own = (ObjectNode) new ObjectMapper().readTree(OWN);

        JsonNode source =
                JoinedSummary.of(own, List.of(never), NOW).path("sources").get(1);

        assertThat(source.path("name").asText()).isEqualTo("n2");
        assertThat(source.path("health").path("live").asBoolean()).isFalse();
        assertThat(source.path("health").path("reasons").toString())
                .contains("http://127.0.0.1:1/", "has not been asked");
    }
}
