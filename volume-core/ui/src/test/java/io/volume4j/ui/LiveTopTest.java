package io.volume4j.ui;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.fault.FaultKind;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The view in a terminal. */
@Timeout(120)
class LiveTopTest {
    @Test
    void onceItSaysWhatFailsAndWhatIsUnderWay() throws Exception {
        try (LiveHost host = new LiveHost().start()) {
            host.plugin.faults().add(Fault.on("mount").as(FaultKind.HANG));
            host.plugin
                    .faults()
                    .add(Fault.on("mountDevice").nth(2).as(FaultKind.EXHAUSTED).saying("no space left on device"));
            host.pod("db");
            host.pod("queue");
            LiveTop top = new LiveTop(host.view.uri(), host.view.viewerToken());

            await().atMost(LiveHost.SOON)
                    .untilAsserted(() -> assertThat(top.once(160))
                            .contains("1 failing", "no space left on device", "default/queue")
                            .containsPattern("running +mount ")
                            .containsPattern("n1 +works +2 volumes")
                            .doesNotContain("\u001b"));
            assertThat(top.once(60).lines())
                    .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(60));
        }
    }

    @Test
    void onceItSaysWhatFailsAlsoToTheFirstViewer() throws Exception {
        try (LiveHost host = new LiveHost().start()) {
            host.plugin
                    .faults()
                    .add(Fault.on("mountDevice").as(FaultKind.EXHAUSTED).saying("no space left on device"));
            host.pod("queue");
            await().atMost(LiveHost.SOON)
                    .untilAsserted(() -> assertThat(host.volumes
                                    .explainPod("default", "queue")
                                    .join()
                                    .text())
                            .contains("no space left on device"));

            assertThat(new LiveTop(host.view.uri(), host.view.viewerToken()).once(160))
                    .contains("1 failing", "no space left on device")
                    .containsPattern("n1 +works +1 volumes")
                    .doesNotContain("everything is as it should be");
        }
    }

    @Test
    void itDrawsAgainWhenSomethingChangesUntilTheViewEnds() throws Exception {
        ByteArrayOutputStream drawn = new ByteArrayOutputStream();
        LiveHost host = new LiveHost().start();
        LiveTop top = new LiveTop(host.view.uri(), host.view.viewerToken());
        CompletableFuture<Throwable> ended = CompletableFuture.supplyAsync(() ->
                catchThrowable(() -> top.watch(new PrintStream(drawn, true, StandardCharsets.UTF_8), 120, 40)));
        try (host) {
            host.pod("db");
            await().atMost(LiveHost.SOON)
                    .untilAsserted(() ->
                            assertThat(drawn.toString(StandardCharsets.UTF_8)).contains("\u001b[H", "mount device"));
        }
        assertThat(ended.get(1, TimeUnit.MINUTES))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("ended");
    }

    @Test
    void itEndsWhenItsOutputTakesNoMore() throws Exception {
        try (LiveHost host = new LiveHost().start()) {
            LiveTop top = new LiveTop(host.view.uri(), host.view.viewerToken());
            OutputStream broken = new OutputStream() {
                @Override
                public void write(int ignored) throws IOException {
                    throw new IOException("broken pipe");
                }
            };

            CompletableFuture<Throwable> ended = CompletableFuture.supplyAsync(
                    () -> catchThrowable(() -> top.watch(new PrintStream(broken), 120, 40)));

            assertThat(ended.get(1, TimeUnit.MINUTES)).isNull();
        }
    }

    @Test
    void whatIsNoLiveViewIsToldByItsAddress() throws IOException {
        HttpServer other = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        URI address = URI.create("http://127.0.0.1:" + other.getAddress().getPort() + "/");
        other.createContext("/", exchange -> {
            byte[] page = "<html></html>".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, page.length);
            exchange.getResponseBody().write(page);
            exchange.close();
        });
        other.start();
        LiveTop top = new LiveTop(address, "token");
        try {
            assertThatThrownBy(() -> top.once(80))
                    .isInstanceOf(IOException.class)
                    .hasMessage("what answers at " + address + " is no live view; check the address");
        } finally {
            other.stop(0);
        }
        assertThatThrownBy(() -> top.once(80))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("nothing listens at " + address);
    }

    @Test
    void aTextThatIsNoTokenIsRefusedAndNotRepeated() {
        URI view = URI.create("http://127.0.0.1:1/");

        for (String text : new String[] {"", "t0ps3cret\nmore", "t0p s3cret", "#t0ps3cret"}) {
            assertThatThrownBy(() -> new LiveTop(view, text))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("the part of the view's link behind #")
                    .hasMessageNotContaining("s3cret");
        }
    }

    @Test
    void aWrongTokenIsRefusedWithWhatToDo() {
        try (LiveHost host = new LiveHost().start()) {
            assertThatThrownBy(() -> new LiveTop(host.view.uri(), "guess").once(80))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("401", "printed when the view started");
        }
    }
}
