package io.volume4j.examples.agent.http;

import static io.volume4j.examples.agent.http.Answers.CLAIM;
import static io.volume4j.examples.agent.http.Answers.status;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.spi.host.ClusterException.Reason;
import io.volume4j.spi.host.ClusterSource.Watch;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.host.WatchEvent;
import io.volume4j.spi.model.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A watch that goes on, or says that it cannot. */
@Timeout(120)
class HttpWatchTest extends HttpClusterBench {
    /** Lines of a watch, then the end of the connection; what is heard of it. */
    private List<String> heard(String... lines) throws InterruptedException {
        BlockingQueue<WatchEvent> events = new LinkedBlockingQueue<>();
        server.answer(200, String.join("\n", lines));
        List<String> heard = new ArrayList<>();
        Watch watch = cluster.watch(Kind.PERSISTENT_VOLUME_CLAIM, Selection.all(), "5", events::add);
        try {
            while (!heard.contains("EXPIRED")) {
                WatchEvent event = events.poll(1, TimeUnit.MINUTES);
                assertThat(event).as("after %s", heard).isNotNull();
                heard.add(event.type() == WatchEvent.Type.EXPIRED ? "EXPIRED" : event.type() + " " + event.revision());
            }
        } finally {
            watch.close();
        }
        return heard;
    }

    private static String line(String type, String revision) {
        return "{\"type\": \"" + type + "\", \"object\": " + CLAIM.replace("\"7\"", "\"" + revision + "\"") + "}";
    }

    @Test
    void aWatchGoesOnFromWhereItWas() throws InterruptedException {
        BlockingQueue<WatchEvent> events = new LinkedBlockingQueue<>();
        server.answer(
                200,
                line("ADDED", "6") + "\n" + line("BOOKMARK", "8") + "\n"
                        + line("MODIFIED", "9").substring(0, 40));
        server.answer(200, line("MODIFIED", "9") + "\n" + line("DELETED", "11") + "\n");
        server.answer(410, status(410, "Expired", ""));
        Watch watch = cluster.watch(Kind.PERSISTENT_VOLUME_CLAIM, Selection.all(), "5", events::add);
        List<String> heard = new ArrayList<>();
        while (!heard.contains("EXPIRED ")) {
            WatchEvent event = events.poll(1, TimeUnit.MINUTES);
            assertThat(event).as("after %s", heard).isNotNull();
            heard.add(event.type() + " " + event.revision());
        }
        watch.close();

        assertThat(heard).containsExactly("CHANGED 6", "BOOKMARK 8", "CHANGED 9", "DELETED 11", "EXPIRED ");
        assertThat(server.requests)
                .extracting(request -> request.replaceAll(".*resourceVersion=", ""))
                .containsExactly("5", "8", "11");
    }

    @Test
    void aWatchThatCannotGoOnIsExpired() throws InterruptedException {
        assertThat(heard("{\"type\": \"ERROR\", \"object\": " + status(410, "Expired", "") + "}", ""))
                .containsExactly("EXPIRED");
        assertThat(heard(line("MODIFIED", "6"), "no JSON", ""))
                .as("then unavailable")
                .containsExactly("CHANGED 6", "EXPIRED");
        assertThat(heard(line("MODIFIED", "6"), line("WHATEVER", "7"), "")).containsExactly("CHANGED 6", "EXPIRED");
        assertThat(heard(
                        line("MODIFIED", "6"),
                        line("MODIFIED", "7").replace("[\"ReadWriteOnce\"]", "\"Whatever\""),
                        ""))
                .as("a list that is none")
                .containsExactly("CHANGED 6", "EXPIRED");
        assertThat(heard(line("MODIFIED", ""), "")).containsExactly("EXPIRED");
        assertThat(heard("")).as("nothing, at once").containsExactly("EXPIRED");
    }

    @Test
    void aWatchGoesOnPastAnObjectWithAWordOfANewerVersion() throws InterruptedException {
        assertThat(heard(
                        line("MODIFIED", "6").replace("ReadWriteOnce", "ReadWriteSometimes"),
                        line("MODIFIED", "7"),
                        ""))
                .containsExactly("CHANGED 6", "CHANGED 7", "EXPIRED");
    }

    /** Such as an OutOfMemoryError: the watcher must learn that it missed events. */
    @Test
    void aWatchWhoseThreadMeetsAnErrorIsExpired() throws InterruptedException {
        BlockingQueue<WatchEvent> events = new LinkedBlockingQueue<>();
        server.answer(200, line("MODIFIED", "6") + "\n" + line("MODIFIED", "7") + "\n");
        Watch watch = cluster.watch(Kind.PERSISTENT_VOLUME_CLAIM, Selection.all(), "5", event -> {
            events.add(event);
            if (event.type() == WatchEvent.Type.CHANGED) {
                throw new NoClassDefFoundError("io/example/Claim");
            }
        });

        assertThat(events.poll(1, TimeUnit.MINUTES))
                .extracting(WatchEvent::type)
                .isEqualTo(WatchEvent.Type.CHANGED);
        assertThat(events.poll(1, TimeUnit.MINUTES)).isEqualTo(WatchEvent.expired());
        watch.close();
    }

    @Test
    void aLineThatNeverEndsIsNotReadForEver() throws InterruptedException {
        assertThat(heard(line("MODIFIED", "6"), "x".repeat(HttpWatch.LONGEST_LINE + 10_000)))
                .containsExactly("CHANGED 6", "EXPIRED");
    }

    @Test
    void aWatchThatIsRefusedSaysSo() {
        server.answer(403, status(403, "Forbidden", ""));

        assertThat(refusal(() -> cluster.watch(Kind.NODE, Selection.ofNode("n 1"), "5", event -> {}))
                        .reason())
                .isEqualTo(Reason.FORBIDDEN);
        assertThat(server.requests)
                .hasSize(1)
                .first()
                .asString()
                .contains("?fieldSelector=metadata.name%3Dn%201&watch=1");
    }
}
