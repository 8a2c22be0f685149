package io.volume4j.examples.agent.http;

import static io.volume4j.examples.agent.http.Answers.CLAIM;
import static io.volume4j.examples.agent.http.Answers.status;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterException.Reason;
import io.volume4j.spi.host.ClusterSource.Watch;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.host.WatchEvent;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests that a server puts off because it has too many. */
@Timeout(60)
class OverloadedServerTest extends HttpClusterBench {
    private static final Patch PATCH =
            new Patch(Preconditions.none(), false, List.of(Patch.FieldChange.set("x", "spec", "volumeName")));

    private final BlockingQueue<WatchEvent> events = new LinkedBlockingQueue<>();

    @Test
    void aRequestThatWasPutOffIsSentAgainAfterThePause() {
        server.putOff(429, 1);
        server.putOff(429, 1);
        server.answer(200, CLAIM);
        long began = System.nanoTime();

        assertThat(cluster.patch(C, PATCH).metadata().name()).isEqualTo("c");

        assertThat(server.requests).hasSize(3).containsOnly(server.requests.get(0));
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(Duration.ofSeconds(2));
    }

    @Test
    void anUnavailableServerIsReadFromAgainAndNotWrittenToAgain() {
        server.putOff(503, 1);
        server.answer(200, CLAIM);
        assertThat(cluster.readLive(C)).isPresent();
        assertThat(server.requests).hasSize(2);

        server.putOff(503, 1);
        assertThat(refusal(() -> cluster.patch(C, PATCH)).reason()).isEqualTo(Reason.UNAVAILABLE);
        assertThat(server.requests).hasSize(3);
    }

    @Test
    void theRenewalOfALeaseHearsOfItAtOnce() {
        server.putOff(429, 1);
        Patch renewal =
                new Patch(Preconditions.none(), false, List.of(Patch.FieldChange.set("me", "spec", "holderIdentity")));
        assertThat(refusal(() -> cluster.patch(ObjectKey.lease("ns", "l"), renewal))
                        .reason())
                .isEqualTo(Reason.UNAVAILABLE);
        assertThat(server.requests).hasSize(1);
    }

    /** A leader reads its Lease after a renewal that failed. */
    @Test
    void theReadOfALeaseHearsOfItAtOnceToo() {
        server.putOff(429, 1);
        assertThat(refusal(() -> cluster.readLive(ObjectKey.lease("ns", "l"))).reason())
                .isEqualTo(Reason.UNAVAILABLE);
        assertThat(server.requests).hasSize(1);
    }

    /** Such as an API server that still fills its cache of a kind. */
    @Test
    void aFirstWatchThatWasPutOffBeginsAfterThePause() throws Exception {
        server.putOff(429, 1);
        server.answer(200, line("6"));
        server.answer(410, status(410, "Expired", ""));
        long began = System.nanoTime();

        Watch watch = cluster.watch(Kind.PERSISTENT_VOLUME_CLAIM, Selection.all(), "5", events::add);

        assertThat(heard(2)).containsExactly("CHANGED 6", "EXPIRED ");
        assertThat(revisions()).containsExactly("5", "5", "6");
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(Duration.ofSeconds(1));
        watch.close();
    }

    @Test
    void aFirstWatchThatIsPutOffForTooLongIsRefused() {
        server.putOff(429, 3600);
        assertThat(refusal(() -> cluster.watch(Kind.PERSISTENT_VOLUME_CLAIM, Selection.all(), "5", events::add)))
                .hasMessageContaining("429")
                .extracting(ClusterException::reason)
                .isEqualTo(Reason.UNAVAILABLE);
        assertThat(server.requests).hasSize(1);
    }

    /** Otherwise each process that watches would list everything again from a server that has too much to do. */
    @Test
    void aWatchThatWasPutOffGoesOnFromWhereItWas() throws Exception {
        server.answer(200, line("6"));
        server.putOff(429, 1);
        server.answer(503, "");
        server.answer(500, status(500, "InternalError", ""));
        server.answer(200, line("7"));
        server.answer(410, status(410, "Expired", ""));
        try (ApiServer api = new ApiServer(Access.to(server.uri()), RequestRate.standard())) {
            // By its clock no time passes, so that it does not give up because this process stands still.
            HttpWatch watch = new HttpWatch(
                    api,
                    Kind.PERSISTENT_VOLUME_CLAIM,
                    ApiPath.all(Kind.PERSISTENT_VOLUME_CLAIM),
                    "",
                    "5",
                    events::add,
                    Duration.ofMinutes(5),
                    () -> 0);
            long began = System.nanoTime();
            watch.begin(Duration.ofSeconds(20));

            assertThat(heard(3)).containsExactly("CHANGED 6", "CHANGED 7", "EXPIRED ");
            assertThat(revisions()).containsExactly("5", "6", "6", "6", "6", "7");
            // Its own pauses take less.
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(Duration.ofSeconds(1));
            watch.close();
        }
    }

    private static String line(String revision) {
        return "{\"type\": \"MODIFIED\", \"object\": " + CLAIM.replace("\"7\"", "\"" + revision + "\"") + "}\n";
    }

    private List<String> heard(int count) throws InterruptedException {
        List<String> heard = new ArrayList<>();
        while (heard.size() < count) {
            WatchEvent event = events.poll(30, TimeUnit.SECONDS);
            assertThat(event).as("after %s", heard).isNotNull();
            heard.add(event.type() + " " + event.revision());
        }
        return heard;
    }

    private List<String> revisions() {
        return server.requests.stream()
                .map(request -> request.replaceAll(".*resourceVersion=", ""))
                .toList();
    }

    @Test
    void aPauseThatIsLongerThanTheRequestMayTakeEndsIt() {
        server.putOff(429, 3600);
        assertThat(refusal(() -> cluster.readLive(C)).reason()).isEqualTo(Reason.UNAVAILABLE);
        assertThat(server.requests).hasSize(1);
    }
}
