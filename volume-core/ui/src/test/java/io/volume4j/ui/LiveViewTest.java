package io.volume4j.ui;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.fault.FaultKind;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.model.ObjectKey;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the view answers over HTTP, and to whom. */
@Timeout(120)
class LiveViewTest {
    private static ObjectNode tree() {
        return JsonNodeFactory.instance.objectNode();
    }

    private static Visitor viewer(LiveHost host) {
        return new Visitor(host.view.uri(), host.view.viewerToken());
    }

    private static Visitor operator(LiveHost host) {
        return new Visitor(host.view.uri(), host.view.operatorToken());
    }

    @Test
    void aMountedVolumeIsAsItShouldBeInEachPartOfItsChain() throws Exception {
        try (LiveHost host = new LiveHost().start()) {
            host.pod("a");
            host.awaitMounted("a");
            Visitor viewer = viewer(host);

            await().atMost(LiveHost.SOON).untilAsserted(() -> {
                JsonNode rows = viewer.rows("kind:volume state:ok");
                assertThat(rows.path("total").asInt()).isEqualTo(1);
                JsonNode row = rows.path("rows").get(0);
                JsonNode detail = viewer.detail("n1", row.path("key").asText());
                assertThat(detail.path("chain").findValuesAsText("kind"))
                        .containsExactly("Pod", "Claim", "PersistentVolume", "Attachment", "Device", "Mount");
                assertThat(detail.path("chain").findValuesAsText("state")).containsOnly("ok");
                assertThat(detail.path("timeline").findValuesAsText("action")).contains("MOUNT_DEVICE", "MOUNT");
                assertThat(detail.path("explain").asText()).contains("as it should be");
            });
            assertThat(viewer.summary().path("kinds").findValuesAsText("kind")).contains("PROVISION", "MOUNT");
        }
    }

    @Test
    void aRemovedSourceLeavesThePageAndAnotherMayHaveItsName() throws Exception {
        try (LiveHost host = new LiveHost().start()) {
            host.pod("a");
            host.awaitMounted("a");
            Visitor viewer = viewer(host);
            await().atMost(LiveHost.SOON)
                    .untilAsserted(() -> assertThat(
                                    viewer.rows("kind:volume").path("total").asInt())
                            .isEqualTo(1));

            host.view.remove(host.node);
            host.pod("b");
            host.awaitMounted("b");

            await().atMost(LiveHost.SOON).untilAsserted(() -> {
                assertThat(viewer.summary().path("sources").findValuesAsText("name"))
                        .containsExactlyInAnyOrder("claims", "attachments");
                assertThat(viewer.rows("kind:volume").path("total").asInt()).isZero();
            });
            LiveSource later = host.view.source("n1");
            host.view.remove(host.node);
            later.watch(host.volumes);
            await().atMost(LiveHost.SOON)
                    .untilAsserted(
                            () -> assertThat(viewer.summary().path("sources").findValuesAsText("name"))
                                    .contains("n1"));
        }
    }

    @Test
    void anObjectThatIsGoneLeavesThePage() throws Exception {
        try (LiveHost host = new LiveHost().start()) {
            host.apply("""
                    apiVersion: v1
                    kind: PersistentVolumeClaim
                    metadata: {name: waiting, namespace: default}
                    spec:
                      storageClassName: ""
                      accessModes: [ReadWriteOnce]
                      resources: {requests: {storage: 1Gi}}
                    """);
            Visitor viewer = viewer(host);
            await().atMost(LiveHost.SOON)
                    .untilAsserted(() -> assertThat(viewer.rows("kind:PersistentVolumeClaim state:waiting")
                                    .path("total")
                                    .asInt())
                            .isEqualTo(1));

            host.cluster.delete(ObjectKey.claim("default", "waiting"), Preconditions.none());

            await().atMost(LiveHost.SOON)
                    .untilAsserted(() -> assertThat(viewer.rows("kind:PersistentVolumeClaim")
                                    .path("total")
                                    .asInt())
                            .isZero());
        }
    }

    @Test
    void aCallThatHangsComesFirstWithItsAgeAndDeadline() throws Exception {
        try (LiveHost host = new LiveHost().start()) {
            host.plugin.faults().add(Fault.on("mount").as(FaultKind.HANG));
            host.pod("a");
            Visitor viewer = viewer(host);

            await().atMost(LiveHost.SOON).untilAsserted(() -> {
                JsonNode call = viewer.summary().path("calls").path(0);
                assertThat(call.path("kind").asText()).isEqualTo("MOUNT");
                assertThat(call.path("state").asText()).isEqualTo("RUNNING");
                assertThat(call.path("age").asLong()).isPositive();
                assertThat(call.path("left").asLong()).isPositive();
            });
            assertThat(viewer.summary().path("lanes").findValuesAsText("plugin"))
                    .contains("mem");
        }
    }

    @Test
    void aStepThatIsUnderWayShowsInItsPartOfTheChain() throws Exception {
        try (LiveHost host = new LiveHost().start()) {
            host.plugin.faults().add(Fault.on("mountDevice").as(FaultKind.HANG));
            host.pod("a");
            Visitor viewer = viewer(host);

            await().atMost(LiveHost.SOON).untilAsserted(() -> {
                String key = viewer.rows("kind:volume")
                        .path("rows")
                        .path(0)
                        .path("key")
                        .asText();
                for (JsonNode part : viewer.detail("n1", key).path("chain")) {
                    if (part.path("kind").asText().equals("Device")) {
                        assertThat(part.path("state").asText()).isEqualTo("working");
                        return;
                    }
                }
                fail("the chain has no device");
            });
        }
    }

    @Test
    void aVolumeThatFailsSaysWhyAndWhenItIsTriedNext() throws Exception {
        try (LiveHost host = new LiveHost().start()) {
            host.plugin
                    .faults()
                    .add(Fault.on("mountDevice")
                            .as(FaultKind.EXHAUSTED)
                            .saying("no space left on device")
                            .always());
            host.pod("a");
            Visitor viewer = viewer(host);

            await().atMost(LiveHost.SOON).untilAsserted(() -> {
                JsonNode row = viewer.summary().path("attention").path(0);
                assertThat(row.path("state").asText()).isEqualTo("failing");
                assertThat(row.path("error").asText()).contains("no space left on device");
                assertThat(row.path("attempts").asInt()).isPositive();
                assertThat(row.path("nextTry").asLong()).isPositive();
            });
        }
    }

    @Test
    void aControllerThatLostTheLeadSaysSo() throws Exception {
        try (LiveHost host = new LiveHost().start()) {
            host.leads.set(false);
            Visitor viewer = viewer(host);

            await().atMost(LiveHost.SOON).untilAsserted(() -> {
                JsonNode health = viewer.summary().path("sources").path(1).path("health");
                assertThat(health.path("leads").asBoolean(true)).isFalse();
                assertThat(health.path("reasons").toString()).contains("another process leads");
            });
        }
    }

    @Test
    void nothingButThePageIsAnsweredWithoutAToken() throws Exception {
        try (LiveHost host = new LiveHost(LiveViewBuilder::actions).start()) {
            Visitor stranger = new Visitor(host.view.uri(), "");
            for (String path : List.of("/api/summary", "/api/rows", "/api/detail", "/api/stream", "/api/orphans")) {
                assertThat(stranger.raw("GET", path, "").statusCode()).as(path).isEqualTo(401);
            }
            for (String path : List.of("/api/session", "/api/ask", "/api/confirm")) {
                assertThat(stranger.raw("POST", path, "{\"token\":\"guess\"}").statusCode())
                        .as(path)
                        .isEqualTo(401);
            }
            assertThat(stranger.raw("GET", "/", "").statusCode()).isEqualTo(200);
            assertThat(stranger.raw("GET", "/..%2fpackage-info.class", "").statusCode())
                    .isEqualTo(404);
        }
    }

    @Test
    void aViewerGetsASessionThatScriptsCannotReadAndThatNeverActs() throws Exception {
        try (LiveHost host = new LiveHost(LiveViewBuilder::actions).start()) {
            Visitor stranger = new Visitor(host.view.uri(), "");
            HttpResponse<String> opened = stranger.raw(
                    "POST",
                    "/api/session",
                    tree().put("token", host.view.viewerToken()).toString());
            String cookie = opened.headers().firstValue("Set-Cookie").orElseThrow();
            String session = cookie.substring(0, cookie.indexOf(';'));

            assertThat(cookie).contains("HttpOnly", "SameSite=Strict");
            assertThat(stranger.raw("GET", "/api/summary", "", "Cookie", session)
                            .statusCode())
                    .isEqualTo(200);
            assertThat(stranger.raw("POST", "/api/ask", "{}", "Cookie", session).statusCode())
                    .isEqualTo(401);
            assertThat(viewer(host).raw("POST", "/api/ask", "{}").statusCode()).isEqualTo(401);
        }
    }

    @Test
    void pagesFromElsewhereAreRefused() throws Exception {
        try (LiveHost host = new LiveHost().start()) {
            Visitor viewer = viewer(host);
            HttpResponse<String> page = viewer.raw("GET", "/", "");
            assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow())
                    .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
                    .doesNotContain("unsafe");
            assertThat(viewer.raw("GET", "/api/summary", "", "Origin", "http://evil.example")
                            .statusCode())
                    .isEqualTo(403);
            assertThat(RawRequest.status(host.view.uri(), "evil.example")).isEqualTo(421);
            assertThat(RawRequest.status(host.view.uri(), "127.0.0.1.evil.example"))
                    .isEqualTo(421);
            for (String own : List.of("localhost", "127.0.0.1:80", "127.0.0.2", "[::1]", "[0:0:0:0:0:0:0:1]")) {
                assertThat(RawRequest.status(host.view.uri(), own)).as(own).isEqualTo(200);
            }
        }
    }

    @Test
    void itListensAtTheLoopbackAddressUnlessToldOtherwise() {
        InetSocketAddress everywhere = new InetSocketAddress("0.0.0.0", 0);
        assertThatThrownBy(() -> LiveView.builder().address(everywhere).build())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("allowRemote()");
        LiveView.builder().address(everywhere).allowRemote().build().close();
    }

    @Test
    void aViewBehindAProxyAnswersToItsNameAlsoAtTheLoopbackAddress() throws Exception {
        try (LiveHost host = new LiveHost(LiveViewBuilder::allowRemote).start()) {
            assertThat(RawRequest.status(host.view.uri(), "volumes.example")).isEqualTo(200);
        }
    }

    @Test
    void aViewThatWasClosedDoesNotStart() {
        LiveView view = LiveView.builder().build();
        view.close();
        assertThatThrownBy(view::start)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("was closed");
    }

    @Test
    void strangersTakeNoMoreThreadsThanThereAreAndTheNextOneIsCutOff() throws Exception {
        List<Socket> strangers = new ArrayList<>();
        try (LiveHost host = new LiveHost().start()) {
            for (int i = 0; i < 64; i++) {
                strangers.add(unfinished(host));
            }
            await().atMost(LiveHost.SOON).untilAsserted(() -> {
                try (Socket next = unfinished(host)) {
                    assertThat(cutOff(next)).isTrue();
                }
            });
            for (Socket stranger : strangers) {
                stranger.close();
            }
            await().atMost(LiveHost.SOON)
                    .ignoreExceptions()
                    .untilAsserted(() -> assertThat(RawRequest.status(host.view.uri(), "localhost"))
                            .isEqualTo(200));
        }
    }

    /** A connection whose request has no end. */
    private static Socket unfinished(LiveHost host) throws IOException {
        Socket socket = new Socket(host.view.uri().getHost(), host.view.uri().getPort());
        socket.getOutputStream().write("GET / HTTP/1.1\r\n".getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static boolean cutOff(Socket socket) throws IOException {
        socket.setSoTimeout(1000);
        try {
            return socket.getInputStream().read() == -1;
        } catch (SocketTimeoutException open) {
            return false;
        } catch (SocketException reset) {
            return true;
        }
    }

    @Test
    void allThreadsAreDaemons() throws Exception {
        try (LiveHost host = new LiveHost().start()) {
            viewer(host).summary();
            assertThat(Thread.getAllStackTraces().keySet())
                    .filteredOn(thread -> thread.getName().startsWith("HTTP-Dispatcher")
                            || thread.getName().startsWith("volume-ui"))
                    .isNotEmpty()
                    .allMatch(Thread::isDaemon);
        }
    }

    @Test
    void refusedOperatorTokensAreAudited() throws Exception {
        try (LiveHost host = new LiveHost(LiveViewBuilder::actions).start();
                Audit audit = new Audit()) {
            viewer(host).raw("POST", "/api/ask", "{}");
            viewer(host).raw("POST", "/api/ask", "{}");
            assertThat(audit.lines()).containsExactly("live view: an operator's token was refused");
        }
    }

    @Test
    void aViewThatOnlyShowsDoesNothing() throws Exception {
        try (LiveHost host = new LiveHost().start()) {
            HttpResponse<String> answer = operator(host).raw("POST", "/api/ask", "{\"action\":\"reconcile\"}");
            assertThat(answer.statusCode()).isEqualTo(403);
            assertThat(answer.body()).contains("permits no actions");
        }
    }

    @Test
    void anActionSaysWhatWillHappenIsDoneOnceByItsTicketAndAudited() throws Exception {
        try (LiveHost host = new LiveHost(LiveViewBuilder::actions).start();
                Audit audit = new Audit()) {
            host.plugin.faults().add(Fault.on("mount").as(FaultKind.TRANSIENT));
            host.pod("a");
            Visitor operator = operator(host);
            await().atMost(LiveHost.SOON)
                    .untilAsserted(() -> assertThat(operator.rows("kind:volume state:failing")
                                    .path("total")
                                    .asInt())
                            .isEqualTo(1));
            String key =
                    operator.rows("kind:volume").path("rows").get(0).path("key").asText();

            JsonNode asked = operator.post(
                    "/api/ask",
                    tree().put("action", "reconcile").put("source", "n1").put("key", key));
            assertThat(asked.path("meaning").asText()).contains(key, "tried at once");
            assertThat(host.volumes
                            .actualState()
                            .isMounted(VolumeId.parse(key), "u-a")
                            .join())
                    .as("asking does nothing")
                    .isFalse();

            ObjectNode ticket = tree().put("ticket", asked.path("ticket").asText());
            assertThat(operator.post("/api/confirm", ticket).path("done").asBoolean())
                    .isTrue();
            host.awaitMounted("a");
            assertThat(operator.raw("POST", "/api/confirm", ticket.toString()).statusCode())
                    .as("a ticket is good once")
                    .isEqualTo(409);
            assertThat(audit.lines())
                    .containsExactly(
                            "live view: an operator asked what an action would do",
                            "live view: an operator confirmed an action",
                            "live view: an action ended");
        }
    }

    @Test
    void aRetainedVolumeIsReleasedAndANodeFencedByTheirActions() throws Exception {
        try (LiveHost host = new LiveHost(LiveViewBuilder::actions).start()) {
            host.pod("a");
            host.awaitMounted("a");
            Visitor operator = operator(host);
            String name = host.claims
                    .awaitBound(ObjectKey.claim("default", "a"), LiveHost.SOON)
                    .metadata()
                    .name();

            JsonNode release =
                    operator.post("/api/ask", tree().put("action", "release").put("key", "PersistentVolume//" + name));
            JsonNode refused = operator.post(
                    "/api/confirm", tree().put("ticket", release.path("ticket").asText()));
            assertThat(release.path("meaning").asText()).contains("can read what the last ones wrote");
            assertThat(refused.path("done").asBoolean()).isFalse();
            assertThat(refused.path("result").asText()).contains("set it to Retain first");

            JsonNode unfounded =
                    operator.post("/api/ask", tree().put("action", "fence").put("node", "n1"));
            assertThat(unfounded.path("error").asText()).contains("who knows");
            JsonNode fence = operator.post(
                    "/api/ask", tree().put("action", "fence").put("node", "n1").put("evidence", "unplugged by hand"));
            assertThat(operator.post(
                                    "/api/confirm",
                                    tree().put("ticket", fence.path("ticket").asText()))
                            .path("result")
                            .asText())
                    .contains("counts from now on");
        }
    }

    @Test
    void aStreamTellsOfChangesWithoutBeingAsked() throws Exception {
        try (LiveHost host = new LiveHost().start()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create(host.view.uri() + "api/stream"))
                    .header("Authorization", "Bearer " + host.view.viewerToken())
                    .build();
            HttpResponse<InputStream> stream =
                    HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofInputStream());
            host.pod("a");
            try (BufferedReader lines =
                    new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8))) {
                String line;
                do {
                    line = lines.readLine();
                    assertThat(line).isNotNull();
                } while (!line.contains("\"kind\":\"MOUNT\""));
            }
        }
    }
}
