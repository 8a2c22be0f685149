package io.volume4j.inmemory.contract;

import static io.volume4j.inmemory.contract.Refusals.assertRefused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.volume4j.core.codec.Manifests;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterException.Reason;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.ClusterSource.Listing;
import io.volume4j.spi.host.ClusterSource.Watch;
import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.host.WatchEvent;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.Quantity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The contract of every {@link ClusterSource} and {@link ClusterWriter}. A source must not lose a change between a
 * listing and its watch, and a missing object must really not exist. A writer must not write if a precondition does
 * not hold. To test an implementation, extend this class and return it from {@link #subject()}.
 *
 * @since 0.1.0
 */
public abstract class ClusterContract {
    /** The annotation by which the tests tell states of one object apart. */
    static final String MARK = "volume4j.io/contract";

    static final Duration PATIENCE = Duration.ofMinutes(1);

    /** The number of writers that write at the same time. */
    static final int WRITERS = 4;

    private static final int ROUNDS = 20;
    private static final int LISTINGS = 10;
    private static final int MOST_OBJECTS = 100;
    /** So many objects are created at a time. Each time at least one listing is made. */
    private static final int AT_ONCE = 10;

    private final List<Watch> opened = new ArrayList<>();
    private @Nullable ClusterUnderTest current;

    /** For the extending class. */
    protected ClusterContract() {}

    /** The cluster to test, without claims, pods and volumes. Called once before each test. */
    protected abstract ClusterUnderTest subject();

    @BeforeEach
    final void open() {
        current = subject();
    }

    @AfterEach
    final void close() {
        opened.forEach(Watch::close);
        examined().close();
    }

    @Test
    void aNewObjectIsReturnedAsItIsStored() {
        ApiObject stored = writer().create(claim("c"));

        assertFalse(stored.metadata().uid().isEmpty(), "no UID");
        assertFalse(stored.metadata().resourceVersion().isEmpty(), "no revision");
        assertEquals(Optional.of(stored), source().readLive(key("c")));
    }

    @Test
    void whatIsThereIsNotCreatedAgain() {
        ApiObject first = writer().create(claim("c"));

        assertRefused(Reason.ALREADY_EXISTS, () -> writer().create(claim("c")));

        assertEquals(Optional.of(first), source().readLive(key("c")));
    }

    @Test
    void whatIsNotThereIsNotThere() {
        assertEquals(Optional.empty(), source().readLive(key("c")));
        assertEquals(Optional.empty(), source().readLive(ObjectKey.volume("v")));
        assertRefused(Reason.NOT_FOUND, () -> mark("c", "1"));
        assertRefused(Reason.NOT_FOUND, () -> writer().delete(key("c"), Preconditions.none()));
    }

    @Test
    void anObjectOfTheNameIsAnotherOneWithAnotherUid() {
        ApiObject first = writer().create(claim("c"));
        writer().delete(key("c"), Preconditions.none());
        ApiObject second = writer().create(claim("c"));

        assertFalse(first.metadata().uid().equals(second.metadata().uid()), "the UID was given twice");
        assertTrue(order(first, second) < 0, "the revision went back");
    }

    @Test
    void aPatchChangesItsFieldsAndKeepsAllOthers() {
        ApiObject before = writer().create(objects().claimWithMore("c"));

        ApiObject after = patch("c", FieldChange.set("2", "metadata", "labels", "tier"));

        assertEquals(Map.of("app", "db", "tier", "2"), after.metadata().labels());
        assertEquals(
                Manifests.toTree(before).get("spec"), Manifests.toTree(after).get("spec"));
        assertEquals(before.metadata().uid(), after.metadata().uid());
        assertTrue(order(before, after) < 0, "the revision did not grow");
        assertEquals(Optional.of(after), source().readLive(key("c")));
    }

    @Test
    void aPatchMakesParentsThatAreMissingAndRemovesWhatIsNotThere() {
        writer().create(claim("c"));

        ApiObject after = patch(
                "c",
                FieldChange.remove("metadata", "labels", "nowhere"),
                FieldChange.set("x", "metadata", "annotations", MARK));

        assertEquals("x", after.metadata().annotation(MARK));
        assertEquals(
                "",
                patch("c", FieldChange.remove("metadata", "annotations", MARK))
                        .metadata()
                        .annotation(MARK));
    }

    @Test
    void aMapInAPatchReplacesWhatWasThere() {
        writer().create(ContractObjects.volume("v"));
        ObjectKey volume = ObjectKey.volume("v");
        Map<String, Object> first = Map.of("namespace", "default", "name", "a", "uid", "u-1", "resourceVersion", "7");
        writer().patch(volume, plain(FieldChange.set(first, "spec", "claimRef")));

        PersistentVolume after = (PersistentVolume) writer().patch(
                        volume,
                        plain(FieldChange.set(Map.of("namespace", "default", "name", "b"), "spec", "claimRef")));

        var claim = Objects.requireNonNull(after.spec().claimRef());
        assertEquals("b", claim.name());
        assertEquals("", claim.uid(), "of the claim that was there before");
    }

    @Test
    void changesOfAPatchAreMadeInTheirOrder() {
        writer().create(claim("c"));

        ApiObject after = patch(
                "c",
                FieldChange.set(Map.of("a", "1", "b", "2"), "metadata", "labels"),
                FieldChange.remove("metadata", "labels", "a"),
                FieldChange.set("3", "metadata", "labels", "c"));

        assertEquals(Map.of("b", "2", "c", "3"), after.metadata().labels());
    }

    @Test
    void aPatchMakesOfTheStoredObjectWhatItSays() {
        Patch patch = plain(
                FieldChange.set(Map.of("a", "1", "b", "2"), "metadata", "labels"),
                FieldChange.remove("metadata", "labels", "a"),
                FieldChange.set("3", "metadata", "labels", "c"),
                FieldChange.remove("metadata", "annotations", "nowhere"),
                FieldChange.set("v", "spec", "volumeName"),
                FieldChange.set("x", "metadata", "annotations", MARK));
        ApiObject before = writer().create(objects().claimWithMore("c"));

        ApiObject after = writer().patch(key("c"), patch);

        Map<String, Object> said = patch.applyTo(Manifests.toTree(before));
        ApiObject expected = Manifests.fromTree(said);
        assertEquals(expected.metadata().labels(), after.metadata().labels());
        assertEquals(expected.metadata().annotations(), after.metadata().annotations());
        assertEquals(said.get("spec"), Manifests.toTree(after).get("spec"), "as Patch.applyTo says");
    }

    @Test
    void aListInAPatchReplacesWhatWasThere() {
        writer().create(claim("c"));
        patch("c", FieldChange.set(List.of("example.com/a", "example.com/b"), "metadata", "finalizers"));

        ApiObject after = patch("c", FieldChange.set(List.of("example.com/b"), "metadata", "finalizers"));

        assertEquals(List.of("example.com/b"), after.metadata().finalizers());
        patch("c", FieldChange.remove("metadata", "finalizers"));
    }

    @Test
    void aPatchForAnotherRevisionOrAnotherObjectIsAConflict() {
        ApiObject old = writer().create(claim("c"));
        ApiObject now = mark("c", "1");
        String uid = now.metadata().uid();
        String revision = now.metadata().resourceVersion();
        FieldChange scalar = FieldChange.set("2", "metadata", "annotations", MARK);
        FieldChange map = FieldChange.set(Map.of(MARK, "2"), "metadata", "annotations");

        for (FieldChange change : List.of(scalar, map)) {
            assertRefused(Reason.CONFLICT, () -> write(Preconditions.of(old.metadata()), change));
            assertRefused(Reason.CONFLICT, () -> write(new Preconditions("another-uid", ""), change));
            assertRefused(Reason.CONFLICT, () -> write(new Preconditions("another-uid", revision), change));
            assertEquals(Optional.of(now), source().readLive(key("c")));
        }
        for (FieldChange change : List.of(scalar, map)) {
            ApiObject known = source().readLive(key("c")).orElseThrow();
            write(Preconditions.of(known.metadata()), change);
            write(new Preconditions(uid, ""), change);
        }
        assertEquals("2", source().readLive(key("c")).orElseThrow().metadata().annotation(MARK));
    }

    /** A writer that reads, compares and then writes would let more than one of them write. */
    @Test
    void ofWritesAtTheSameTimeForOneRevisionOneSucceeds() throws Exception {
        writer().create(claim("c"));
        for (int round = 0; round < ROUNDS; round++) {
            ObjectMeta known = source().readLive(key("c")).orElseThrow().metadata();
            List<Supplier<String>> writes = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                String mark = round + "-" + i;
                writes.add(() -> {
                    write(Preconditions.of(known), FieldChange.set(mark, "metadata", "annotations", MARK));
                    return mark;
                });
            }

            List<String> made = together(writes, EnumSet.of(Reason.CONFLICT));

            assertEquals(1, made.size(), () -> "written for one revision: " + made);
            assertEquals(
                    made.get(0),
                    source().readLive(key("c")).orElseThrow().metadata().annotation(MARK));
        }
    }

    @Test
    void ofAChangeAndADeletionAtTheSameTimeForOneRevisionOneSucceeds() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            ObjectMeta known = writer().create(claim("c")).metadata();
            FieldChange change = FieldChange.set("changed", "metadata", "annotations", MARK);

            List<String> made = together(
                    List.of(
                            () -> {
                                write(Preconditions.of(known), change);
                                return "changed";
                            },
                            () -> {
                                writer().delete(key("c"), Preconditions.of(known));
                                return "deleted";
                            }),
                    EnumSet.of(Reason.CONFLICT, Reason.NOT_FOUND));

            assertEquals(1, made.size(), () -> "done for one revision: " + made);
            assertEquals(
                    made.get(0),
                    source().readLive(key("c"))
                            .map(there -> there.metadata().annotation(MARK))
                            .orElse("deleted"));
            if (made.contains("changed")) {
                writer().delete(key("c"), Preconditions.none());
            }
        }
    }

    @Test
    void aDeletionForAnotherRevisionOrAnotherObjectIsAConflict() {
        ApiObject old = writer().create(claim("c"));
        ApiObject now = mark("c", "1");

        assertRefused(Reason.CONFLICT, () -> writer().delete(key("c"), Preconditions.of(old.metadata())));
        assertRefused(Reason.CONFLICT, () -> writer().delete(key("c"), new Preconditions("another-uid", "")));
        assertEquals(Optional.of(now), source().readLive(key("c")));

        writer().delete(key("c"), Preconditions.of(now.metadata()));
        assertEquals(Optional.empty(), source().readLive(key("c")));
    }

    @Test
    void theStatusIsWrittenApart() {
        ApiObject before = writer().create(claim("c"));
        FieldChange status = FieldChange.set(Map.of("storage", "1Gi"), "status", "capacity");

        ApiObject after =
                writer().patch(key("c"), new Patch(Preconditions.of(before.metadata()), true, List.of(status)));

        assertEquals(
                Manifests.toTree(before).get("spec"), Manifests.toTree(after).get("spec"));
        assertTrue(order(before, after) < 0, "the revision did not grow");
        assertEquals(
                Quantity.parse("1Gi"), ((PersistentVolumeClaim) after).status().capacity());
        assertRefused(
                Reason.CONFLICT,
                () -> writer().patch(
                                key("c"),
                                new Patch(
                                        Preconditions.of(before.metadata()),
                                        true,
                                        List.of(FieldChange.remove("status", "capacity")))));
        assertRefused(Reason.INVALID, () -> patch("c", status));
        assertRefused(
                Reason.INVALID,
                () -> writer().patch(
                                key("c"),
                                new Patch(
                                        Preconditions.none(),
                                        true,
                                        List.of(FieldChange.set("x", "metadata", "labels", "a")))));
        assertEquals(Optional.of(after), source().readLive(key("c")));
    }

    @Test
    void anObjectWithFinalizersGoesWithTheLastOfThem() {
        writer().create(claim("c"));
        patch("c", FieldChange.set(List.of("example.com/a"), "metadata", "finalizers"));
        Listing listing = source().list(Kind.PERSISTENT_VOLUME_CLAIM, Selection.all());
        HeardEvents heard = new HeardEvents();
        watch(listing, heard);
        writer().delete(key("c"), Preconditions.none());
        ApiObject marked = source().readLive(key("c")).orElseThrow();
        assertTrue(marked.metadata().deleting(), "not marked as being deleted");
        writer().delete(key("c"), Preconditions.none());

        patch("c", FieldChange.remove("metadata", "finalizers"));

        assertEquals(Optional.empty(), source().readLive(key("c")));
        heard.awaitDeletion("c");
        assertEquals(WatchEvent.Type.CHANGED, heard.of("c").get(0).type());
    }

    @Test
    void nothingIsMissedBetweenAListingAndItsWatch() throws InterruptedException {
        int objects = 60;
        Thread other = new Thread(() -> {
            for (int i = 0; i < objects; i++) {
                writer().create(claim("c-" + i));
            }
            writer().delete(key("c-0"), Preconditions.none());
            mark("c-1", "last");
        });
        other.start();
        try (ClusterFollower follower = new ClusterFollower(source(), Kind.PERSISTENT_VOLUME_CLAIM)) {
            Map<String, ApiObject> seen = follower.await(
                    "all claims but the first, and the mark",
                    known -> known.size() == objects - 1
                            && !known.containsKey("c-0")
                            && isMarked(known.get("c-1"), "last"));
            assertEquals(listed(), seen);
        } finally {
            other.join();
        }
    }

    /** Whenever a listing is made, its revision belongs to its objects. */
    @Test
    void nothingIsMissedBetweenAnyOfManyListingsAndItsWatch() throws Exception {
        ExecutorService other = Executors.newSingleThreadExecutor();
        Map<HeardEvents, Listing> watched = new LinkedHashMap<>();
        int objects = 0;
        try {
            for (int made = 0; made < MOST_OBJECTS && watched.size() < LISTINGS; made += AT_ONCE) {
                int first = made;
                Future<?> writes = other.submit(() -> {
                    for (int i = first; i < first + AT_ONCE; i++) {
                        writer().create(claim("c-" + i));
                    }
                });
                do {
                    Listing listing = source().list(Kind.PERSISTENT_VOLUME_CLAIM, Selection.all());
                    if (listing.objects().size() > objects && watchIfPossible(listing, watched)) {
                        objects = listing.objects().size();
                    }
                } while (!writes.isDone() && watched.size() < LISTINGS);
                resultOf(writes);
            }
        } finally {
            other.shutdown();
            if (!other.awaitTermination(PATIENCE.toNanos(), TimeUnit.NANOSECONDS)) {
                other.shutdownNow();
            }
        }
        assertFalse(watched.isEmpty(), "no listing that was made while objects were created could be watched");
        writer().create(claim("last"));
        Map<String, ApiObject> there = listed();
        watched.forEach((heard, listing) -> heard.await(
                "all is there that was not in the listing of revision " + listing.revision(),
                event -> heard.expired() || changed(listing, heard).equals(there)));
    }

    private boolean watchIfPossible(Listing listing, Map<HeardEvents, Listing> watched) {
        HeardEvents heard = new HeardEvents(patience());
        try {
            watch(listing, heard);
            watched.put(heard, listing);
            return true;
        } catch (ClusterException refused) {
            // The library lists again.
            return false;
        }
    }

    /** The listed objects with the changes of the watch. */
    private static Map<String, ApiObject> changed(Listing listing, HeardEvents heard) {
        Map<String, ApiObject> objects = byName(listing);
        for (WatchEvent event : heard.ofObjects()) {
            ApiObject object = event.requireObject();
            if (event.type() == WatchEvent.Type.DELETED) {
                objects.remove(object.metadata().name());
            } else {
                objects.put(object.metadata().name(), object);
            }
        }
        return objects;
    }

    @Test
    void aWatchTellsTheStatesOfAnObjectInTheirOrder() {
        Listing listing = source().list(Kind.PERSISTENT_VOLUME_CLAIM, Selection.all());
        HeardEvents heard = new HeardEvents();
        watch(listing, heard);
        writer().create(claim("c"));
        writer().create(claim("d"));
        for (int i = 1; i <= 20; i++) {
            mark("c", "" + i);
            mark("d", "" + i);
        }
        for (String name : List.of("c", "d")) {
            heard.awaitChange(name, "20");
            List<ApiObject> states =
                    heard.of(name).stream().map(WatchEvent::requireObject).toList();
            for (int i = 1; i < states.size(); i++) {
                assertTrue(order(states.get(i - 1), states.get(i)) <= 0, "went back: " + states);
            }
        }
        assertFalse(heard.metTwoCalls(), "the listener was called twice at once");
    }

    @Test
    void aDeletionIsToldWithTheLastState() {
        writer().create(claim("c"));
        Listing listing = source().list(Kind.PERSISTENT_VOLUME_CLAIM, Selection.all());
        HeardEvents heard = new HeardEvents();
        watch(listing, heard);
        ApiObject last = mark("c", "last");
        writer().delete(key("c"), Preconditions.none());

        WatchEvent told = heard.awaitDeletion("c");

        assertEquals(last.metadata().uid(), told.requireObject().metadata().uid());
        assertEquals("last", told.requireObject().metadata().annotation(MARK));
        assertFalse(told.revision().isEmpty(), "a deletion without a revision");
    }

    @Test
    void aWatchOfOneNodeHearsOfItsPodsAndOfTheirGoing() {
        writer().create(objects().pod("mine", "node-1"));
        writer().create(objects().pod("theirs", "node-2"));
        Listing listing = source().list(Kind.POD, Selection.ofNode("node-1"));
        assertTrue(names(listing).contains("mine"), "not listed: the node's pod");
        HeardEvents heard = new HeardEvents();
        opened.add(source().watch(Kind.POD, Selection.ofNode("node-1"), listing.revision(), heard));
        writer().create(objects().pod("later", "node-1"));
        heard.await(
                "there is a pod more",
                event -> event.object() instanceof Pod pod
                        && pod.metadata().name().equals("later"));
        writer().delete(ObjectKey.pod(namespace(), "mine"), Preconditions.none());
        heard.awaitDeletion("mine");
    }

    @Test
    void twoWatchesHearTheSame() {
        Listing listing = source().list(Kind.PERSISTENT_VOLUME_CLAIM, Selection.all());
        HeardEvents first = new HeardEvents();
        HeardEvents second = new HeardEvents();
        watch(listing, first);
        watch(listing, second);
        writer().create(claim("c"));
        mark("c", "1");
        writer().delete(key("c"), Preconditions.none());

        first.awaitDeletion("c");
        second.awaitDeletion("c");

        assertEquals(first.ofObjects(), second.ofObjects());
    }

    @Test
    void aClosedWatchHearsOfNothingThatHappensLater() {
        Listing listing = source().list(Kind.PERSISTENT_VOLUME_CLAIM, Selection.all());
        HeardEvents closed = new HeardEvents();
        HeardEvents open = new HeardEvents();
        Watch ends = watch(listing, closed);
        watch(listing, open);
        writer().create(claim("c"));
        open.await("there is a claim", event -> event.object() != null);
        ends.close();
        ends.close();
        mark("c", "later");

        open.awaitChange("c", "later");

        assertEquals(
                List.of(),
                closed.of("c").stream()
                        .filter(event -> !event.requireObject()
                                .metadata()
                                .annotation(MARK)
                                .isEmpty())
                        .toList());
    }

    @Test
    void whatIsForgottenEndsTheWatchAndIsListedAgain() {
        Listing old = source().list(Kind.PERSISTENT_VOLUME_CLAIM, Selection.all());
        writer().create(claim("c"));
        assumeTrue(examined().forgetHistory(), "the store does not forget");
        HeardEvents heard = new HeardEvents();

        watch(old, heard);
        heard.await("the watch cannot go on", event -> event.type() == WatchEvent.Type.EXPIRED);

        assertEquals(List.of(), heard.ofObjects());
        try (ClusterFollower follower = new ClusterFollower(source(), Kind.PERSISTENT_VOLUME_CLAIM)) {
            follower.await("the claim", known -> known.containsKey("c"));
        }
    }

    @Test
    void nothingIsMissedWhenConnectionsBreak() {
        try (ClusterFollower follower = new ClusterFollower(source(), Kind.PERSISTENT_VOLUME_CLAIM)) {
            for (int i = 0; i < 20; i++) {
                writer().create(claim("c-" + i));
                assumeTrue(examined().breakWatches(), "nothing breaks");
                if (i > 0) {
                    writer().delete(key("c-" + (i - 1)), Preconditions.none());
                }
            }
            mark("c-19", "last");
            follower.await(
                    "the last claim alone, and its mark",
                    known -> known.size() == 1 && isMarked(known.get("c-19"), "last"));
        }
    }

    /** How long an event may take. A test of this contract with a source that loses events needs no patience. */
    Duration patience() {
        return PATIENCE;
    }

    private ClusterUnderTest examined() {
        return Objects.requireNonNull(current, "cluster");
    }

    private ClusterSource source() {
        return examined().source();
    }

    private ClusterWriter writer() {
        return examined().writer();
    }

    private String namespace() {
        return examined().namespace();
    }

    private ObjectKey key(String claim) {
        return ObjectKey.claim(namespace(), claim);
    }

    /** Open until it is closed, or until the end of the test. */
    private Watch watch(Listing listing, HeardEvents heard) {
        Watch watch = source().watch(Kind.PERSISTENT_VOLUME_CLAIM, Selection.all(), listing.revision(), heard);
        opened.add(watch);
        return watch;
    }

    /**
     * Makes the calls at the same time. Returns the results of those that succeeded; the others must be refused for
     * one of the reasons.
     */
    private static List<String> together(List<Supplier<String>> calls, Set<Reason> reasons) throws Exception {
        CyclicBarrier start = new CyclicBarrier(calls.size());
        ExecutorService threads = Executors.newFixedThreadPool(calls.size());
        try {
            List<Future<Optional<String>>> results = threads.invokeAll(calls.stream()
                    .map(call -> (Callable<Optional<String>>) () -> {
                        start.await();
                        try {
                            return Optional.of(call.get());
                        } catch (ClusterException refusal) {
                            if (reasons.contains(refusal.reason())) {
                                return Optional.empty();
                            }
                            throw new AssertionError(
                                    "refused with " + refusal.reason() + ", allowed: " + reasons, refusal);
                        }
                    })
                    .toList());
            List<String> made = new ArrayList<>();
            for (Future<Optional<String>> result : results) {
                resultOf(result).ifPresent(made::add);
            }
            return made;
        } finally {
            threads.shutdown();
        }
    }

    /** Fails with what the call failed with. */
    private static <T> T resultOf(Future<T> call) throws Exception {
        try {
            return call.get();
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof Error error) {
                throw error;
            }
            if (failed.getCause() instanceof Exception exception) {
                throw exception;
            }
            throw failed;
        }
    }

    private Map<String, ApiObject> listed() {
        return byName(source().list(Kind.PERSISTENT_VOLUME_CLAIM, Selection.all()));
    }

    private static Map<String, ApiObject> byName(Listing listing) {
        Map<String, ApiObject> objects = new TreeMap<>();
        listing.objects().forEach(object -> objects.put(object.metadata().name(), object));
        return objects;
    }

    private static List<String> names(Listing listing) {
        return listing.objects().stream()
                .map(object -> object.metadata().name())
                .toList();
    }

    private static boolean isMarked(@Nullable ApiObject object, String value) {
        return object != null && object.metadata().annotation(MARK).equals(value);
    }

    private int order(ApiObject left, ApiObject right) {
        return source().compareRevisions(
                        left.metadata().resourceVersion(), right.metadata().resourceVersion());
    }

    private ApiObject mark(String claim, String value) {
        return patch(claim, FieldChange.set(value, "metadata", "annotations", MARK));
    }

    private ApiObject patch(String claim, FieldChange... changes) {
        return writer().patch(key(claim), plain(changes));
    }

    private static Patch plain(FieldChange... changes) {
        return new Patch(Preconditions.none(), false, List.of(changes));
    }

    private ApiObject write(Preconditions preconditions, FieldChange change) {
        return writer().patch(key("c"), new Patch(preconditions, false, List.of(change)));
    }

    private ContractObjects objects() {
        return new ContractObjects(namespace());
    }

    private ApiObject claim(String name) {
        return objects().claim(name);
    }
}
