package io.volume4j.core.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.codec.Manifests;
import io.volume4j.inmemory.cluster.ClusterFault;
import io.volume4j.inmemory.cluster.ClusterFault.Rejection;
import io.volume4j.inmemory.cluster.ClusterVerb;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.inmemory.virtual.VirtualScheduler;
import io.volume4j.spi.host.EventSink;
import io.volume4j.spi.model.Event;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectReference;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Which events become objects of the cluster, in virtual time. */
class ClusterEventsTest {
    private static final ObjectReference CLAIM =
            new ObjectReference("v1", "PersistentVolumeClaim", "shop", "data", "uid-1", "");
    private static final ObjectReference VOLUME = new ObjectReference("v1", "PersistentVolume", "", "pv", "uid-2", "");

    private final VirtualScheduler world = new VirtualScheduler(1, Instant.parse("2026-01-01T00:00:00Z"));
    private final InMemoryCluster cluster = InMemoryCluster.create();
    private final EventWriter events =
            new EventWriter("volume4j.io/controllers", "host", cluster, world.loop(), world.workers(), world.random());

    @Test
    void anEventIsAnObjectBesideTheObjectThatItIsAbout() {
        tell(CLAIM, "ProvisioningFailed", "no room");
        tell(VOLUME, "VolumeFailedDelete", "in use");
        pass(Duration.ofSeconds(1));

        Event first = stored("ProvisioningFailed");
        assertThat(first.metadata().namespace()).isEqualTo("shop");
        assertThat(first.metadata().name()).startsWith("data.");
        assertThat(first.regarding()).isEqualTo(CLAIM);
        assertThat(first.type()).isEqualTo("Warning");
        assertThat(first.note()).isEqualTo("no room");
        assertThat(first.eventTime()).isNotNull();
        assertThat(first.action()).isNotEmpty();
        assertThat(first.reportingController()).isEqualTo("volume4j.io/controllers");
        assertThat(first.reportingInstance()).isEqualTo("host");
        assertThat(first.series()).isNull();
        assertThat(stored("VolumeFailedDelete").metadata().namespace())
                .as("what is about an object without a namespace")
                .isEqualTo("default");
    }

    @Test
    void itsTimesHaveSixDigitsBecauseServersTakeNoOthers() {
        tell(CLAIM, "ProvisioningFailed", "no room");
        pass(Duration.ofSeconds(1));
        tell(CLAIM, "ProvisioningFailed", "no room");
        pass(Duration.ofSeconds(1));

        assertThat(Manifests.toJson(stored("ProvisioningFailed")))
                .containsPattern("\"eventTime\":\"2026-01-01T00:00:00\\.[0-9]{6}Z\"")
                .containsPattern("\"lastObservedTime\":\"2026-01-01T00:00:01\\.[0-9]{6}Z\"");
    }

    @Test
    void theSameEventAgainRaisesTheCountOfTheSameObject() {
        for (int i = 0; i < 1000; i++) {
            tell(CLAIM, "ProvisioningFailed", "no room");
            pass(Duration.ofMillis(100));
        }
        pass(Duration.ofMinutes(1));

        assertThat(cluster.all(Kind.EVENT)).hasSize(1);
        Event.Series series = stored("ProvisioningFailed").series();
        assertThat(series).isNotNull();
        assertThat(series == null ? 0 : series.count()).isEqualTo(1000);
        assertThat(cluster.writes()).as("in 100 seconds").hasSizeBetween(5, 7);
    }

    @Test
    void whatWasSilentForLongBeginsAnew() {
        tell(CLAIM, "ProvisioningFailed", "no room");
        pass(EventSeries.SILENCE);
        tell(CLAIM, "ProvisioningFailed", "no room");
        pass(Duration.ofSeconds(1));

        assertThat(cluster.all(Kind.EVENT)).hasSize(2);
    }

    @Test
    void anObjectThatFailsInEverNewWordsDoesNotFillTheStore() {
        for (int i = 0; i < EventWriter.WAITING / 2; i++) {
            tell(CLAIM, "ProvisioningFailed", "request " + i);
        }
        tell(VOLUME, "VolumeFailedDelete", "in use");
        pass(Duration.ofSeconds(10));
        assertThat(cluster.all(Kind.EVENT)).hasSize(EventSeries.BURST + 1);

        pass(EventSeries.REFILL);
        tell(CLAIM, "ProvisioningFailed", "request again");
        tell(CLAIM, "ProvisioningFailed", "and again");
        pass(Duration.ofSeconds(10));
        assertThat(cluster.all(Kind.EVENT)).hasSize(EventSeries.BURST + 2);
    }

    @Test
    void eventsThatCannotBeWrittenDoNotAccumulate() {
        cluster.fail(ClusterFault.on(ClusterVerb.CREATE).always().as(Rejection.UNAVAILABLE));
        int objects = EventSeries.REMEMBERED + EventWriter.WAITING;
        for (int i = 0; i < objects; i++) {
            tell(object(i), "ProvisioningFailed", "no room");
            if (i % 100 == 0) {
                pass(Duration.ofMillis(1));
            }
        }
        pass(Duration.ofMillis(1));
        cluster.heal();
        pass(Duration.ofMinutes(1));

        assertThat(cluster.all(Kind.EVENT))
                .as("the newest, and the one whose write was under way")
                .hasSize(EventSeries.REMEMBERED + 1)
                .extracting(event -> ((Event) event).regarding())
                .contains(object(0), object(objects - 1))
                .doesNotContain(object(1));
    }

    @Test
    void anEventThatWasNotWrittenBeforeItBeganAnewIsWrittenOnce() {
        cluster.fail(ClusterFault.on(ClusterVerb.CREATE).always().as(Rejection.UNAVAILABLE));
        // Each takes six seconds until it is dropped.
        for (int i = 0; i < 200; i++) {
            tell(object(i), "ProvisioningFailed", "no room");
        }
        tell(VOLUME, "VolumeFailedDelete", "in use");
        pass(EventSeries.SILENCE);
        tell(VOLUME, "VolumeFailedDelete", "in use");
        pass(Duration.ofMillis(1));
        cluster.heal();
        pass(Duration.ofMinutes(1));

        assertThat(stored("VolumeFailedDelete").regarding()).isEqualTo(VOLUME);
    }

    /** The answer to the first write is lost, so the second finds the event there, with another count. */
    @Test
    void itsCountIsRightAlsoIfTheAnswerToItsCreationWasLost() {
        cluster.fail(ClusterFault.on(ClusterVerb.CREATE).times(1).as(Rejection.UNAVAILABLE_AFTER));
        for (int i = 0; i < 5; i++) {
            tell(CLAIM, "ProvisioningFailed", "no room");
            pass(Duration.ofMillis(100));
        }
        pass(Duration.ofMinutes(1));

        Event.Series series = stored("ProvisioningFailed").series();
        assertThat(series == null ? 0 : series.count()).isEqualTo(5);
    }

    @Test
    void isTriedThriceWithOneNameAndThenDropped() {
        cluster.fail(ClusterFault.on(ClusterVerb.CREATE).times(2).as(Rejection.UNAVAILABLE));
        tell(CLAIM, "ProvisioningFailed", "no room");
        pass(Duration.ofMinutes(1));
        assertThat(cluster.all(Kind.EVENT)).hasSize(1);

        cluster.fail(ClusterFault.on(ClusterVerb.CREATE).always().as(Rejection.UNAVAILABLE));
        tell(VOLUME, "VolumeFailedDelete", "in use");
        pass(Duration.ofMinutes(1));
        cluster.heal();
        pass(Duration.ofMinutes(1));
        assertThat(cluster.all(Kind.EVENT)).hasSize(1);

        tell(VOLUME, "VolumeFailedDelete", "in use");
        pass(Duration.ofMinutes(1));
        assertThat(cluster.all(Kind.EVENT)).as("told anew").hasSize(2);
    }

    /** Servers forget events after an hour. */
    @Test
    void aSeriesWhoseObjectIsGoneBeginsAnew() {
        tell(CLAIM, "ProvisioningFailed", "no room");
        pass(Duration.ofSeconds(1));
        cluster.remove(stored("ProvisioningFailed").key());
        tell(CLAIM, "ProvisioningFailed", "no room");
        pass(Duration.ofSeconds(1));
        tell(CLAIM, "ProvisioningFailed", "no room");
        pass(Duration.ofSeconds(1));

        assertThat(cluster.all(Kind.EVENT)).hasSize(1);
    }

    @Test
    void closingWritesWhatWaits() {
        tell(CLAIM, "ProvisioningFailed", "no room");
        pass(Duration.ofSeconds(1));
        tell(CLAIM, "ProvisioningFailed", "no room");
        pass(Duration.ofSeconds(1));
        tell(CLAIM, "ProvisioningFailed", "no room");

        CompletableFuture<Void> closed = events.close();
        pass(Duration.ofSeconds(1));

        assertThat(closed).isDone();
        Event.Series series = stored("ProvisioningFailed").series();
        assertThat(series == null ? 0 : series.count()).isEqualTo(3);
    }

    @Test
    void objectsWithLongNamesHaveEventsToo() {
        // Servers accept no name one of whose parts ends with a hyphen, nor one with an empty part.
        for (String end : List.of("-", ".", "-.-")) {
            ObjectReference object = new ObjectReference(
                    "v1", "PersistentVolumeClaim", "shop", "c".repeat(200 - end.length()) + end + "d", "u" + end, "");
            tell(object, "Reason" + (int) end.charAt(0) + end.length(), "said");
        }
        pass(Duration.ofSeconds(1));

        assertThat(cluster.all(Kind.EVENT)).hasSize(3);
    }

    @Test
    void aReporterWithALongNameIsCutWhereServersWouldRefuseIt() {
        EventWriter of = new EventWriter(
                "volume4j.io/node", "n".repeat(200), cluster, world.loop(), world.workers(), world.random());
        of.event(new EventSink.Event(EventSink.Event.Type.NORMAL, "Tested", CLAIM, "said"));
        pass(Duration.ofSeconds(1));

        assertThat(stored("Tested").reportingInstance()).hasSize(128);
    }

    @Test
    void runsOnThreadsOfItsOwnAndEndsThem() {
        ClusterEvents own = ClusterEvents.builder().cluster(cluster).build();
        own.event(new EventSink.Event(EventSink.Event.Type.NORMAL, "Tested", CLAIM, "said"));
        own.close();
        own.close();

        assertThat(stored("Tested").type()).isEqualTo("Normal");
    }

    private static ObjectReference object(int number) {
        return new ObjectReference("v1", "PersistentVolumeClaim", "shop", "data-" + number, "uid-" + number, "");
    }

    private void tell(ObjectReference object, String reason, String message) {
        events.event(new EventSink.Event(EventSink.Event.Type.WARNING, reason, object, message));
    }

    private Event stored(String reason) {
        List<Event> found = cluster.all(Kind.EVENT).stream()
                .map(Event.class::cast)
                .filter(event -> event.reason().equals(reason))
                .toList();
        assertThat(found).hasSize(1);
        return found.get(0);
    }

    private void pass(Duration time) {
        world.advance(time);
    }
}
