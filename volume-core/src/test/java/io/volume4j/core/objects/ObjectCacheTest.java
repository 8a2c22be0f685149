package io.volume4j.core.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.testing.ScarceThreads;
import io.volume4j.core.testing.ScarceThreads.Shortage;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.host.WatchEvent;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodPhase;
import io.volume4j.spi.model.Unmodeled;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ObjectCacheTest {
    private final FakeSource source = new FakeSource();
    private final Deque<Runnable> loop = new ArrayDeque<>();
    private final List<Timed> timers = new ArrayList<>();
    private final List<String> heard = new ArrayList<>();
    private Duration now = Duration.ZERO;

    private Executor shortOf = Runnable::run;

    /** Why the next call finds no thread. */
    private @Nullable Throwable noWorker;

    private final CachePorts ports = new CachePorts(
            loop::add,
            task -> {
                @Nullable Throwable none = noWorker;
                noWorker = null;
                if (none instanceof Error error) {
                    throw error;
                }
                if (none instanceof RuntimeException refusal) {
                    throw refusal;
                }
                shortOf.execute(task);
            },
            (delay, task) -> timers.add(new Timed(now.plus(delay), task)),
            failures -> Duration.ofSeconds(failures));
    private final ObjectCache cache = cacheOf(Selection.all());

    private record Timed(Duration at, Runnable task) {}

    @Test
    void holdsWhatTheListingShowedAndWatchesFromItsRevision() {
        source.listed.put(key("a"), pod("a", "u1", 3));
        source.revision = "7";
        cache.start();
        assertThat(cache.complete(Kind.POD)).isFalse();
        run();
        assertThat(cache.complete(Kind.POD)).isTrue();
        assertThat(cache.get(key("a"))).contains(pod("a", "u1", 3));
        assertThat(source.calls).containsExactly("list", "watch from 7");
        assertThat(heard).containsExactly("+a u1@3", "complete");
    }

    @Test
    void knowsTheKindFirstThatItIsToStartWith() {
        List<Kind> complete = new ArrayList<>();
        ObjectCache several = new ObjectCache(
                source,
                Map.of(Kind.POD, Selection.all(), Kind.NODE, Selection.all(), Kind.CSI_DRIVER, Selection.all()),
                ports);
        several.listener(new ObjectListener() {
            @Override
            public void changed(ObjectChange change) {}

            @Override
            public void completeness(Kind kind, boolean now) {
                complete.add(kind);
            }
        });

        several.startWith(Kind.CSI_DRIVER);
        run();

        assertThat(complete).containsExactly(Kind.CSI_DRIVER, Kind.POD, Kind.NODE);
    }

    /** What many objects will cost can be told before the heap is full of them. */
    @Test
    void tellsHowManyObjectsAListingHasBeforeTheFirstIsTaken() {
        ObjectCache ofNode = cacheOf(Selection.ofNode("n1"));
        ofNode.listener(new ObjectListener() {
            @Override
            public void listed(Kind kind, int objects) {
                heard.add("listed " + objects + " " + kind);
            }

            @Override
            public void changed(ObjectChange change) {}
        });
        source.listed.put(key("a"), pod("a", "u1", 3, "n1"));
        source.listed.put(key("b"), pod("b", "u2", 4, "n2"));
        source.listed.put(key("c"), pod("c", "u3", 5, "n1"));
        ofNode.start();
        run();

        assertThat(heard).containsExactly("listed 2 POD", "+a u1@3", "+c u3@5", "complete");
    }

    @Test
    void takesChangesAndDeletionsWithTheLastState() {
        started();
        source.send(WatchEvent.changed(pod("a", "u1", 2)));
        run();
        source.send(WatchEvent.changed(pod("a", "u1", 3)));
        run();
        source.send(WatchEvent.deleted(pod("a", "u1", 4), "4"));
        run();
        assertThat(cache.get(key("a"))).isEmpty();
        assertThat(heard).containsExactly("+a u1@2", "a u1@2->3", "-a u1@4");
    }

    @Test
    void takesOfStatesThatArriveTogetherOnlyTheLatest() {
        started();
        source.send(WatchEvent.changed(pod("a", "u1", 2)));
        source.send(WatchEvent.changed(pod("b", "u2", 3)));
        source.send(WatchEvent.changed(pod("a", "u1", 4)));
        source.send(WatchEvent.deleted(pod("b", "u2", 5), "5"));
        source.send(WatchEvent.changed(pod("b", "u3", 6)));
        run();
        assertThat(heard).containsExactly("+b u2@3", "+a u1@4", "-b u2@5", "+b u3@6");
    }

    @Test
    void neverGoesBehindAnOwnWrite() {
        started();
        cache.applyOwnWrite(pod("a", "u1", 9));
        source.send(WatchEvent.changed(pod("a", "u1", 8)));
        source.send(WatchEvent.changed(pod("a", "u1", 9)));
        run();
        assertThat(heard).containsExactly("+a u1@9");
        assertThat(cache.get(key("a"))).contains(pod("a", "u1", 9));
    }

    @Test
    void ignoresTheLateResultOfAWriteToADeletedObject() {
        started();
        source.send(WatchEvent.changed(pod("a", "u1", 2)));
        source.send(WatchEvent.deleted(pod("a", "u1", 2), "5"));
        run();
        cache.applyOwnWrite(pod("a", "u1", 4));
        assertThat(cache.get(key("a"))).isEmpty();
    }

    @Test
    void takesAnObjectBackThatTheStoreHasAgain() {
        started();
        source.send(WatchEvent.changed(pod("a", "u1", 2)));
        source.send(WatchEvent.deleted(pod("a", "u1", 2), "5"));
        run();
        source.live.put(key("a"), pod("a", "u1", 9));
        source.send(WatchEvent.changed(pod("a", "u1", 9)));
        run();
        assertThat(heard).containsExactly("+a u1@2", "-a u1@2", "+a u1@9");
    }

    @Test
    void takesAnObjectBackOnceTheStoreCanBeAsked() {
        started();
        source.send(WatchEvent.deleted(pod("a", "u1", 2), "5"));
        run();
        source.live.put(key("a"), pod("a", "u1", 9));
        source.readFails = "away";
        source.send(WatchEvent.changed(pod("a", "u1", 9)));
        run();
        assertThat(cache.get(key("a"))).isEmpty();
        source.readFails = null;
        pass(Duration.ofSeconds(1));
        assertThat(cache.get(key("a"))).contains(pod("a", "u1", 9));
    }

    @Test
    void takesAnObjectBackThatWasDeletedAndReturnedOnceMoreWhileTheStoreWasAsked() {
        started();
        source.send(WatchEvent.deleted(pod("a", "u1", 2), "5"));
        source.live.put(key("a"), pod("a", "u1", 6));
        source.send(WatchEvent.changed(pod("a", "u1", 6)));
        loop.removeFirst().run();
        source.live.put(key("a"), pod("a", "u1", 8));
        source.send(WatchEvent.deleted(pod("a", "u1", 6), "7"));
        source.send(WatchEvent.changed(pod("a", "u1", 8)));
        loop.addLast(loop.removeFirst());
        run();
        assertThat(cache.get(key("a"))).contains(pod("a", "u1", 8));
    }

    @Test
    void ignoresALateStateOfADeletedObjectWhoseLastRevisionIsNotKnown() {
        started();
        cache.applyAbsent(key("a"), "u1");
        source.send(WatchEvent.changed(pod("a", "u1", 4)));
        source.send(WatchEvent.changed(pod("a", "u1", 4)));
        run();
        source.send(WatchEvent.changed(pod("a", "u1", 3)));
        run();
        assertThat(heard).isEmpty();
        assertThat(source.calls)
                .filteredOn("read a"::equals)
                .as("one question for both")
                .hasSize(1);
    }

    @Test
    void aDeletionBehindTheQuestionWinsOverItsAnswer() {
        started();
        cache.applyAbsent(key("a"), "u1");
        source.live.put(key("a"), pod("a", "u1", 4));
        source.send(WatchEvent.changed(pod("a", "u1", 4)));
        loop.removeFirst().run();
        source.send(WatchEvent.deleted(pod("a", "u1", 4), "6"));
        loop.addLast(loop.removeFirst());
        run();
        assertThat(cache.get(key("a"))).isEmpty();
        assertThat(heard).isEmpty();
    }

    @Test
    void tellsOfAReplacedObjectAsDeletionAndCreation() {
        started();
        source.send(WatchEvent.changed(pod("a", "u1", 2)));
        source.send(WatchEvent.changed(pod("a", "u2", 6)));
        source.send(WatchEvent.changed(pod("a", "u1", 7)));
        run();
        assertThat(heard).containsExactly("+a u1@2", "-a u1@2", "+a u2@6");
    }

    @Test
    void listsAgainWhenTheWatchExpiresAndFindsWhatWasDeletedMeanwhile() {
        source.listed.put(key("a"), pod("a", "u1", 1));
        source.listed.put(key("b"), pod("b", "u2", 1));
        started();
        source.listed.remove(key("a"));
        source.listed.put(key("c"), pod("c", "u3", 5));
        source.send(WatchEvent.expired());
        run();
        assertThat(heard).containsExactly("incomplete", "+c u3@5", "-a u1@1", "complete");
        assertThat(source.openWatches).isEqualTo(1);
    }

    @Test
    void keepsWhatIsNewerThanAListingThatDoesNotShowIt() {
        started();
        source.send(WatchEvent.changed(pod("a", "u1", 4)));
        source.revision = "3";
        source.send(WatchEvent.expired());
        run();
        assertThat(cache.get(key("a"))).contains(pod("a", "u1", 4));
        source.send(WatchEvent.changed(pod("a", "u1", 5)));
        source.send(WatchEvent.deleted(pod("a", "u1", 5), "6"));
        run();
        assertThat(heard).containsExactly("+a u1@4", "incomplete", "complete", "a u1@4->5", "-a u1@5");
    }

    @Test
    void isIncompleteAsLongAsTheSourceCannotBeListed() {
        source.listed.put(key("a"), pod("a", "u1", 1));
        started();
        source.listFails = "no route";
        source.send(WatchEvent.expired());
        run();
        assertThat(cache.complete(Kind.POD)).isFalse();
        assertThat(cache.get(key("a"))).isPresent();
        pass(Duration.ofSeconds(1));
        assertThat(cache.complete(Kind.POD)).isFalse();
        source.listFails = null;
        pass(Duration.ofSeconds(2));
        assertThat(cache.complete(Kind.POD)).isTrue();
    }

    @Test
    void waitsLongerAfterEachFailure() {
        source.listFails = "no route";
        cache.start();
        run();
        for (int second = 1; second <= 6; second++) {
            pass(Duration.ofSeconds(1));
        }
        // tries at 0, 1, 1+2 and 1+2+3 seconds
        assertThat(source.calls).hasSize(4);
    }

    @Test
    void waitsBetweenWatchesThatTellSomethingAndExpireAtOnce() {
        started();
        for (int i = 2; i < 20; i++) {
            source.send(WatchEvent.bookmark(Integer.toString(i)));
            source.send(WatchEvent.expired());
            run();
        }
        assertThat(source.calls)
                .filteredOn("list"::equals)
                .as("the first, and one more at once")
                .hasSize(2);
        pass(Duration.ofSeconds(1));
        assertThat(source.calls).filteredOn("list"::equals).hasSize(3);
    }

    @Test
    void ignoresEventsOfAWatchThatHasEnded() {
        started();
        var old = source.listener;
        source.send(WatchEvent.expired());
        run();
        assertThat(old).isNotNull();
        if (old != null) {
            old.onEvent(WatchEvent.changed(pod("a", "u1", 3)));
            old.onEvent(WatchEvent.expired());
        }
        run();
        assertThat(cache.get(key("a"))).isEmpty();
        assertThat(cache.complete(Kind.POD)).isTrue();
    }

    @Test
    void keepsAnOwnWriteThatAnOlderListingDoesNotShow() {
        started();
        cache.applyOwnWrite(pod("a", "u1", 9));
        source.live.put(key("a"), pod("a", "u1", 9));
        source.send(WatchEvent.expired());
        run();
        assertThat(cache.get(key("a"))).isPresent();
        assertThat(heard).doesNotContain("-a u1@9");
    }

    @Test
    void dropsAnOwnWriteOnlyWhenALiveReadDoesNotFindIt() {
        started();
        cache.applyOwnWrite(pod("a", "u1", 9));
        source.readFails = "no route";
        source.send(WatchEvent.expired());
        run();
        assertThat(cache.get(key("a"))).isPresent();
        source.readFails = null;
        pass(Duration.ofSeconds(1));
        assertThat(cache.get(key("a"))).isEmpty();
        assertThat(source.calls.stream().filter("read a"::equals)).hasSize(2);
    }

    @Test
    void asksTheStoreForWhatWasWrittenWhileAnEmptyCacheWasListed() {
        started();
        source.listed.put(key("b"), pod("b", "u2", 8));
        source.revision = "9";
        source.send(WatchEvent.expired());
        loop.remove().run();
        assertThat(source.calls).endsWith("list");
        cache.applyOwnWrite(pod("a", "u1", 7));
        cache.applyOwnWrite(pod("b", "u2", 8));
        run();
        assertThat(heard).contains("+a u1@7", "-a u1@7");
        assertThat(source.calls).contains("read a").doesNotContain("read b");
        assertThat(cache.get(key("b"))).isPresent();
    }

    @Test
    void asksTheStoreForAnOwnWriteWhoseAnswerComesAfterAListingWithoutIt() {
        source.revision = "9";
        started();
        cache.applyOwnWrite(pod("a", "u1", 7));
        cache.applyOwnWrite(pod("b", "u2", 10));
        run();
        assertThat(heard).containsExactly("+a u1@7", "+b u2@10", "-a u1@7");
        assertThat(source.calls).doesNotContain("read b");
    }

    @Test
    void asksOnceForWhatTheStoreHasThoughItsListingDidNotShowIt() {
        source.revision = "9";
        started();
        source.live.put(key("a"), pod("a", "u1", 7));
        cache.applyOwnWrite(pod("a", "u1", 7));
        run();
        assertThat(cache.get(key("a"))).isPresent();
        assertThat(source.calls.stream().filter("read a"::equals)).hasSize(1);
    }

    @Test
    void doesNotAskTheStoreForWhatTheWatchHasConfirmed() {
        started();
        cache.applyOwnWrite(pod("a", "u1", 9));
        source.send(WatchEvent.changed(pod("a", "u1", 9)));
        source.revision = "9";
        source.send(WatchEvent.expired());
        run();
        assertThat(cache.get(key("a"))).isEmpty();
        assertThat(source.calls).doesNotContain("read a");
    }

    @Test
    void ignoresADeletedObjectInAListingThatIsOlderThanItsDeletion() {
        source.listed.put(key("a"), pod("a", "u1", 1));
        started();
        source.send(WatchEvent.deleted(pod("a", "u1", 1), "2"));
        source.send(WatchEvent.expired());
        run();
        assertThat(cache.get(key("a"))).isEmpty();
    }

    @Test
    void forgetsTombstonesInTheEndAndThenSetsNoMoreTimers() {
        started();
        source.send(WatchEvent.changed(pod("a", "u1", 1)));
        source.send(WatchEvent.deleted(pod("a", "u1", 1), "2"));
        run();
        pass(ObjectCache.TOMBSTONE_AGE);
        assertThat(timers).hasSize(1);
        pass(ObjectCache.TOMBSTONE_AGE);
        assertThat(timers).isEmpty();
    }

    @Test
    void ignoresWhatTheSelectionDoesNotWant() {
        ObjectCache ofNode = cacheOf(Selection.ofNode("n1"));
        source.listed.put(key("a"), pod("a", "u1", 1, "n1"));
        source.listed.put(key("b"), pod("b", "u2", 1, "n2"));
        ofNode.start();
        run();
        assertThat(ofNode.all(Kind.POD))
                .extracting(object -> object.metadata().name())
                .containsExactly("a");
    }

    @Test
    void takesALargeListingInSlicesSoThatOtherWorkComesBetween() {
        IntStream.range(0, 2000).forEach(i -> source.listed.put(key("p" + i), pod("p" + i, "u" + i, 1)));
        cache.start();
        int tasks = 0;
        int before = 0;
        int largest = 0;
        while (!loop.isEmpty()) {
            loop.remove().run();
            tasks++;
            largest = Math.max(largest, cache.all(Kind.POD).size() - before);
            before = cache.all(Kind.POD).size();
        }
        assertThat(before).isEqualTo(2000);
        assertThat(largest).isLessThanOrEqualTo(512);
        assertThat(tasks).isGreaterThan(4);
    }

    @Test
    void aListenerThatFailsStarvesNoOtherListener() {
        ObjectCache other = new ObjectCache(source, Map.of(Kind.POD, Selection.all()), ports);
        other.listener(change -> {
            throw new IllegalStateException("mistake");
        });
        List<ObjectKey> told = new ArrayList<>();
        other.listener(change -> told.add(change.key()));
        source.listed.put(key("a"), pod("a", "u1", 1));
        other.start();
        run();
        assertThat(told).containsExactly(key("a"));
        assertThat(other.complete(Kind.POD)).isTrue();
    }

    @Test
    void closingEndsTheWatchAndAllThatComesLater() {
        started();
        cache.close();
        run();
        source.send(WatchEvent.changed(pod("a", "u1", 2)));
        run();
        assertThat(source.openWatches).isZero();
        assertThat(cache.get(key("a"))).isEmpty();
        assertThat(cache.complete(Kind.POD)).isFalse();
    }

    /** A host's watch that does not end would stop the agent of a process that does not lead any more. */
    @Test
    void closingItWhileItsLoopGoesOnEndsTheWatchOnAWorker() {
        List<Runnable> calls = new ArrayList<>();
        CachePorts slow = new CachePorts(loop::add, calls::add, (delay, task) -> {}, failures -> Duration.ZERO);
        ObjectCache busy = new ObjectCache(source, Map.of(Kind.POD, Selection.all()), slow);
        busy.start();
        calls.remove(0).run();
        run();
        calls.remove(0).run();
        run();
        busy.close();
        assertThat(source.openWatches).isEqualTo(1);
        calls.remove(0).run();
        assertThat(source.openWatches).isZero();
    }

    /** What workers have not begun when they end is never done. */
    @Test
    void endingItWithItsLoopEndsTheWatchWithoutAWorker() {
        started();
        cache.end().run();
        assertThat(source.openWatches).isZero();
    }

    @Test
    void closesAWatchThatOpensAfterTheEnd() {
        cache.start();
        loop.remove().run();
        cache.close();
        run();
        assertThat(source.openWatches).isZero();
    }

    /** A loop that has ended drops what is posted to it, the news of a watch that was opened included. */
    @Test
    void endsAWatchThatIsOpenedBehindTheEndOfTheLoop() {
        List<Runnable> calls = new ArrayList<>();
        CachePorts slow = new CachePorts(loop::add, calls::add, (delay, task) -> {}, failures -> Duration.ZERO);
        ObjectCache late = new ObjectCache(source, Map.of(Kind.POD, Selection.all()), slow);
        late.start();
        calls.remove(0).run();
        run();
        late.close();
        calls.remove(0).run();
        loop.clear();
        assertThat(source.calls).endsWith("watch from 1");
        assertThat(source.openWatches).isZero();
    }

    @Test
    void endsTheOtherWatchesWhenOneCannotBeEnded() {
        ObjectCache two = new ObjectCache(source, Map.of(Kind.POD, Selection.all(), Kind.NODE, Selection.all()), ports);
        two.start();
        run();
        assertThat(source.openWatches).isEqualTo(2);
        source.closeFails = new IllegalStateException("the client was closed before");
        two.end().run();
        assertThat(source.openWatches).isEqualTo(1);
        assertThat(two.complete(Kind.POD)).isFalse();
        assertThat(two.complete(Kind.NODE)).isFalse();
    }

    @Test
    void listsAgainThoughTheLastWatchCannotBeEnded() {
        started();
        source.closeFails = new IllegalStateException("no route");
        source.send(WatchEvent.expired());
        run();
        assertThat(cache.complete(Kind.POD)).isTrue();
    }

    /** Such as a class that is missing: whatever it is, the next listing may succeed. */
    @Test
    void listsAgainAfterAnErrorOfTheSource() {
        source.listBreaks = new NoClassDefFoundError("io/example/Pod");
        cache.start();
        run();
        assertThat(cache.complete(Kind.POD)).isFalse();
        assertThat(cache.whyIncomplete()).contains("io/example/Pod");
        pass(Duration.ofSeconds(1));
        assertThat(cache.complete(Kind.POD)).isTrue();
    }

    @Test
    void listsAgainWhenThereWasNoThreadForIt() {
        noWorker = new Error("unable to create native thread");
        cache.start();
        run();
        assertThat(cache.complete(Kind.POD)).isFalse();
        pass(Duration.ofSeconds(1));
        assertThat(cache.complete(Kind.POD)).isTrue();
    }

    /** Otherwise the rest of what arrived with it would be missed for ever, in a kind that passes for complete. */
    @Test
    void missesNothingThatArrivedWithWhatAListenerBrokeAt() {
        List<String> later = new ArrayList<>();
        cache.listener(change -> {
            if (change.key().name().equals("a")) {
                throw new NoClassDefFoundError("io/example/Driver");
            }
        });
        cache.listener(change -> later.add(shown(change)));
        started();
        source.send(WatchEvent.changed(pod("a", "u1", 2)));
        source.send(WatchEvent.changed(pod("b", "u2", 3)));
        run();
        assertThat(later).containsExactly("+a u1@2", "+b u2@3");
        assertThat(cache.get(key("b"))).isPresent();
    }

    @Test
    void asksTheStoreAgainWhenThereWasNoThreadToAskIt() {
        source.revision = "9";
        started();
        noWorker = new RejectedExecutionException("as many threads as may");
        cache.applyOwnWrite(pod("a", "u1", 7));
        run();
        assertThat(cache.get(key("a"))).isPresent();
        pass(Duration.ofSeconds(1));
        assertThat(cache.get(key("a"))).isEmpty();
    }

    static Stream<Shortage> shortages() {
        return Shortage.all(4);
    }

    @ParameterizedTest
    @MethodSource("shortages")
    void isCompleteAndFollowsWhenThereAreThreadsAgain(Shortage shortage) {
        shortOf = new ScarceThreads(Runnable::run, shortage);
        source.listed.put(key("a"), pod("a", "u1", 3));
        source.revision = "7";
        cache.start();
        for (int i = 0; i < 20; i++) {
            run();
            pass(Duration.ofSeconds(20));
        }
        source.send(WatchEvent.changed(pod("b", "u2", 8)));
        run();

        assertThat(cache.complete(Kind.POD)).isTrue();
        assertThat(cache.get(key("a"))).isPresent();
        assertThat(cache.get(key("b"))).isPresent();
    }

    private ObjectCache cacheOf(Selection selection) {
        ObjectCache made = new ObjectCache(source, Map.of(Kind.POD, selection), ports);
        made.listener(new ObjectListener() {
            @Override
            public void changed(ObjectChange change) {
                heard.add(shown(change));
            }

            @Override
            public void completeness(Kind kind, boolean complete) {
                heard.add(complete ? "complete" : "incomplete");
            }
        });
        return made;
    }

    private void started() {
        cache.start();
        run();
        heard.clear();
    }

    private void run() {
        while (!loop.isEmpty()) {
            loop.remove().run();
        }
    }

    private void pass(Duration time) {
        now = now.plus(time);
        Optional<Timed> due = due();
        while (due.isPresent()) {
            timers.remove(due.get());
            due.get().task().run();
            run();
            due = due();
        }
    }

    private Optional<Timed> due() {
        return timers.stream().filter(timer -> timer.at().compareTo(now) <= 0).min(Comparator.comparing(Timed::at));
    }

    private static String shown(ObjectChange change) {
        ApiObject before = change.before();
        ApiObject after = change.after();
        String name = change.key().name();
        if (before == null) {
            return "+" + name + " " + version(change.latest());
        }
        return after == null
                ? "-" + name + " " + version(before)
                : name + " " + version(before) + "->" + after.metadata().resourceVersion();
    }

    private static String version(ApiObject object) {
        return object.metadata().uid() + "@" + object.metadata().resourceVersion();
    }

    private static ObjectKey key(String name) {
        return ObjectKey.pod("ns", name);
    }

    private static Pod pod(String name, String uid, long revision) {
        return pod(name, uid, revision, "n1");
    }

    private static Pod pod(String name, String uid, long revision, String node) {
        ObjectMeta meta = new ObjectMeta(
                name, "ns", uid, Long.toString(revision), 0, Map.of(), Map.of(), List.of(), List.of(), null, null);
        return new Pod(
                meta,
                new Pod.Spec(node, List.of(), List.of(), List.of(), Pod.SecurityContext.none(), ""),
                new Pod.Status(PodPhase.RUNNING, List.of()),
                Unmodeled.none());
    }
}
