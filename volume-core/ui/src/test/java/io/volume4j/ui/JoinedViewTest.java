package io.volume4j.ui;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.fault.FaultKind;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One view shows what the views of other processes show. */
@Timeout(120)
class JoinedViewTest {
    private static final String TOKEN = "0123456789abcdef";

    private static Visitor viewer(LiveView view) {
        return new Visitor(view.uri(), view.viewerToken());
    }

    private static LiveView joining(LiveHost... hosts) {
        LiveViewBuilder builder = LiveView.builder().title("all").actions();
        for (int i = 0; i < hosts.length; i++) {
            builder.join("host" + (i + 1), hosts[i].view.uri(), hosts[i].view.viewerToken());
        }
        LiveView view = builder.build();
        view.start();
        return view;
    }

    @Test
    void showsTheSourcesRowsAndDetailsOfEach() throws Exception {
        try (LiveHost one = new LiveHost().start();
                LiveHost two = new LiveHost().start();
                LiveView all = joining(one, two)) {
            for (String name : List.of("a", "b", "c")) {
                one.pod(name);
                one.awaitMounted(name);
            }
            two.plugin.faults().add(Fault.on("mount").as(FaultKind.HANG));
            two.pod("d");
            Visitor viewer = viewer(all);

            await().atMost(LiveHost.SOON).untilAsserted(() -> {
                JsonNode summary = viewer.summary();
                assertThat(summary.path("sources").findValuesAsText("name"))
                        .contains("host1/n1", "host1/claims", "host2/n1", "host2/attachments");
                assertThat(summary.path("counts").path("ok").asInt()).isGreaterThanOrEqualTo(3);
                assertThat(summary.path("calls").findValuesAsText("source")).contains("host2/n1");
            });
            // a view that is late by five seconds is left out of the rows, and asked again with the next request
            await().atMost(LiveHost.SOON).untilAsserted(() -> {
                JsonNode rows = viewer.rows("kind:volume");
                assertThat(rows.path("total").asInt()).isEqualTo(4);
                assertThat(rows.path("rows").findValuesAsText("source"))
                        .containsExactly("host1/n1", "host1/n1", "host1/n1", "host2/n1");
                JsonNode second = viewer.get("/api/rows?q=kind%3Avolume&offset=2&limit=2");
                assertThat(second.path("rows")).hasSize(2);
                assertThat(second.path("rows").findValuesAsText("source")).containsExactly("host1/n1", "host2/n1");

                JsonNode last = rows.path("rows").get(3);
                JsonNode detail = viewer.detail("host2/n1", last.path("key").asText());
                assertThat(detail.path("row").path("source").asText()).isEqualTo("host2/n1");
                assertThat(detail.path("chain").findValuesAsText("kind")).contains("Pod", "Mount");
            });
        }
    }

    @Test
    void aViewThatDoesNotAnswerIsASourceThatIsNotLiveAndTheOthersAreShown() throws Exception {
        LiveHost lost = new LiveHost().start();
        try (LiveHost one = new LiveHost().start();
                LiveView all = joining(one, lost)) {
            Visitor viewer = viewer(all);
            await().atMost(LiveHost.SOON)
                    .untilAsserted(
                            () -> assertThat(viewer.summary().path("sources").findValuesAsText("name"))
                                    .contains("host1/n1", "host2/n1"));

            lost.close();

            await().atMost(LiveHost.SOON).untilAsserted(() -> {
                JsonNode summary = viewer.summary();
                assertThat(summary.path("sources").findValuesAsText("name")).contains("host1/n1");
                assertThat(summary.toString()).contains("s old: its view at " + lost.view.uri() + " does not answer");
            });
            assertThat(viewer.rows("").path("total").isInt()).isTrue();
            assertThat(viewer.detail("host2/n1", "x").path("error").asText()).contains("does not answer");
        }
    }

    @Test
    void aWrongTokenIsSaidWithoutTheToken() throws Exception {
        try (LiveHost one = new LiveHost().start();
                LiveView all = LiveView.builder()
                        .join("one", one.view.uri(), "0123456789-secret")
                        .build()) {
            all.start();
            Visitor viewer = viewer(all);

            await().atMost(LiveHost.SOON)
                    .untilAsserted(() -> assertThat(viewer.summary().toString())
                            .contains("the token is missing or wrong")
                            .doesNotContain("secret"));
        }
    }

    @Test
    void actionsStayWithTheViewThatHasTheVolume() throws Exception {
        try (LiveHost one = new LiveHost(LiveViewBuilder::actions).start();
                LiveView all = joining(one)) {
            Visitor operator = new Visitor(all.uri(), all.operatorToken());

            JsonNode answer = operator.post(
                    "/api/ask",
                    JsonNodeFactory.instance
                            .objectNode()
                            .put("action", "look")
                            .put("source", "host1/n1")
                            .put("key", "x"));

            assertThat(answer.path("error").asText()).contains("use that view at " + one.view.uri());
        }
    }

    @Test
    void aTokenThatTheHostChoseIsThatOfEachStart() throws Exception {
        for (int start = 0; start < 2; start++) {
            try (LiveView view = LiveView.builder().viewerToken(TOKEN).build()) {
                view.start();
                assertThat(view.link()).endsWith("#" + TOKEN);
                assertThat(new Visitor(view.uri(), TOKEN)
                                .summary()
                                .path("title")
                                .asText())
                        .isEqualTo("volume4j");
                assertThat(view.operatorToken()).isNotEqualTo(TOKEN);
            }
        }
    }

    @ParameterizedTest(name = "\"{0}\" at {1}")
    @CsvSource({
        "'',  http://h:1,  needs a unique name",
        "a/b, http://h:1,  needs a unique name",
        "a,   ftp://h:1,   such as http://10.0.0.1:8990/",
        "a,   there,       such as http://10.0.0.1:8990/",
    })
    void refusesWhatIsNoView(String name, String address, String why) {
        LiveViewBuilder builder = LiveView.builder();

        assertThatThrownBy(() -> builder.join(name, URI.create(address), TOKEN))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why);
    }

    /** Requests would go to the root of the server, with the token; and the page would show the rest of the address. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://h:1/s3cret/",
                "http://h:1/#s3cret",
                "http://h:1/?t=s3cret",
                "http://me:s3cret@h:1/",
                "http://h_1:1/#s3cret",
                "ftp://me:s3cret@h/"
            })
    void refusesAnAddressWithMoreThanHostAndPort(String address) {
        LiveViewBuilder builder = LiveView.builder();

        assertThatThrownBy(() -> builder.join("a", URI.create(address), TOKEN))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageMatching(".*(http://HOST:PORT/|such as http://10.0.0.1:8990/).*")
                .hasMessageNotContaining("s3cret");
    }

    @Test
    void refusesASecondViewOfANameAndAWeakToken() {
        LiveViewBuilder builder = LiveView.builder().join("a", URI.create("http://h:1"), TOKEN);

        assertThatThrownBy(() -> builder.join("a", URI.create("http://h:2"), TOKEN))
                .hasMessageContaining("unique name");
        assertThatThrownBy(() -> builder.viewerToken("short")).hasMessageContaining("openssl rand");
        try (LiveView view = builder.build()) {
            assertThatThrownBy(() -> view.source("a")).hasMessageContaining("join it under another one");
            assertThatThrownBy(() -> view.source("a/b")).hasMessageContaining("join it under another one");
            assertThat(view.source("ab").name()).isEqualTo("ab");
        }
    }
}
