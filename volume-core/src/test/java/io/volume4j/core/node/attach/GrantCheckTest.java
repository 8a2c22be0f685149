package io.volume4j.core.node.attach;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.core.grants.AttachmentName;
import io.volume4j.core.grants.GrantKeys;
import io.volume4j.core.grants.GrantList;
import io.volume4j.core.volumes.NodeVolumeNames;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeAttachment;
import io.volume4j.spi.model.WellKnown;
import io.volume4j.spi.plugin.Attacher.AttachResult;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the node asks the store itself before it stages a volume. */
class GrantCheckTest {
    private static final VolumeId ID = VolumeId.shared("d", "h");
    private static final String KUBERNETES = AttachmentName.ofKubernetes("d", "h", "n1");

    private final Store store = new Store();
    private final List<String> ended = new ArrayList<>();

    /** A controller that gives no grants: the node's object, and the VolumeAttachment that such a controller makes. */
    @ParameterizedTest(name = "in use {0}, shown {1}, attachment {2}: {3}")
    @CsvSource({
        "yes, yes, none,      attached",
        "yes, yes, attached,  attached",
        "yes, yes, made,      'the node''s status shows it attached, and VolumeAttachment'",
        "yes, yes, deleting,  'the node''s status shows it attached, and VolumeAttachment'",
        "yes, no,  attached,  the node's status does not show it attached",
        "no,  yes, attached,  the node's status does not show it in use",
    })
    void asksAForeignControllersObjectsLive(String used, String shown, String attachment, String expected) {
        store.put(node(used.equals("yes"), shown.equals("yes")));
        if (!attachment.equals("none")) {
            store.put(attachment(KUBERNETES, attachment, ""));
        }

        if (expected.equals("attached")) {
            AttachResult result = check(null);
            assertThat(result.devicePath()).isEqualTo("/dev/live");
            assertThat(result.metadata()).isEqualTo(attachment.equals("none") ? Map.of() : Map.of("key", "value"));
        } else {
            assertThatThrownBy(() -> check(null))
                    .isInstanceOfSatisfying(
                            VolumeException.class,
                            failure -> assertThat(failure.kind()).isEqualTo(FailureKind.TRANSIENT))
                    .hasMessageContaining(expected);
        }
        assertThat(store.reads).startsWith("Node//n1");
    }

    /** A node that attaches by itself, beside a controller that attached the volume when the node's object asked for that. */
    @ParameterizedTest(name = "asks for the controller {0}, in use {1}, shown {2}, attachment {3}: {4}")
    @CsvSource({
        "no,  no,  no,  none,     attached",
        "no,  yes, yes, attached, attached",
        "no,  yes, yes, made,     attached",
        "yes, yes, yes, none,     still asks the control plane to attach",
        "no,  yes, yes, deleting, a controller is detaching it",
        "no,  no,  yes, attached, the node's status does not show the volume in use yet",
        "no,  yes, no,  attached, the controller may be about to detach it",
    })
    void attachesByItselfOnlyWhileNoControllerMayDetach(
            String asks, String used, String shown, String attachment, String expected) {
        store.put(marked(node(used.equals("yes"), shown.equals("yes"), NodeVolumeNames.of(ID)), asks.equals("yes")));
        if (!attachment.equals("none")) {
            store.put(attachment(KUBERNETES, attachment, ""));
        }

        if (expected.equals("attached")) {
            assertThat(own()).isEqualTo("attached");
        } else {
            assertThatThrownBy(this::own)
                    .isInstanceOfSatisfying(
                            VolumeException.class,
                            failure -> assertThat(failure.kind()).isEqualTo(FailureKind.TRANSIENT))
                    .hasMessageContaining(expected);
        }
    }

    @Test
    void attachesByItselfWithoutANodeObject() {
        assertThat(own()).isEqualTo("attached");
        assertThat(store.reads).containsExactly("Node//n1");
    }

    @Test
    void doesNotAttachByItselfWhenTheStoreCannotBeRead() {
        store.fails = true;

        assertThatThrownBy(this::own)
                .isInstanceOfSatisfying(
                        VolumeException.class,
                        failure -> assertThat(failure.kind()).isEqualTo(FailureKind.TRANSIENT))
                .hasMessageContaining("cannot find out whether a controller is detaching");
    }

    private Object own() {
        var attach = new io.volume4j.core.engine.Call("d", 1, Duration.ofMinutes(1), context -> "attached");
        Object result = new GrantCheck(store, "n1", true, (id, uid) -> {})
                .own(ID, attach)
                .body()
                .run(new Call());
        return java.util.Objects.requireNonNull(result);
    }

    private static Node marked(Node node, boolean asksForController) {
        ObjectMeta meta = asksForController
                ? node.metadata().withAnnotation(WellKnown.CONTROLLER_MANAGED_ATTACH, "true")
                : node.metadata();
        return new Node(meta, node.spec(), node.status(), node.unmodeled());
    }

    @ParameterizedTest(name = "held under {0}, uid {1}, generation {2}, {3}: {4}")
    @CsvSource({
        "'',    uid,   1.p, attached, attached,                     no",
        "'',    other, 1.p, attached, is not there any more,        yes",
        "'',    uid,   2.q, attached, another controller has taken, no",
        "uid,   uid,   2.q, attached, another controller has taken, no",
        "'',    uid,   1.p, made,     is not attached,              no",
        "'',    uid,   1.p, deleting, is being ended,               yes",
        "'',    uid,   2.q, deleting, is being ended,               yes",
        "uid,   uid,   1.p, deleting, attached,                     no",
        "uid,   uid,   2.q, deleting, attached,                     no",
        "other, uid,   1.p, deleting, is being ended,               yes",
        "'',    none,  1.p, none,     is not there any more,        yes",
        "uid,   none,  1.p, none,     is not there any more,        yes",
    })
    void believesAGrantOnlyIfTheRecordSaysTheSame(
            String held, String uid, String generation, String state, String expected, String forGood) {
        if (!uid.equals("none")) {
            store.put(attachment("va", state, generation, uid));
        }
        GrantList.Grant grant = new GrantList.Grant("va", "uid", "1.p");
        store.put(granting(grant));

        if (expected.equals("attached")) {
            assertThat(check(grant, held).devicePath()).isEqualTo("/dev/shown");
        } else {
            assertThatThrownBy(() -> check(grant, held)).hasMessageContaining(expected);
        }
        assertThat(ended).isEqualTo(forGood.equals("yes") ? List.of(ID + " uid") : List.of());
        String then = "";
        if (state.equals("deleting") && held.equals("uid")) {
            then = "Node//n1";
        } else if (!uid.equals("uid")) {
            then = "VolumeAttachment//" + KUBERNETES;
        }
        assertThat(store.reads)
                .isEqualTo(then.isEmpty() ? List.of("VolumeAttachment//va") : List.of("VolumeAttachment//va", then));
    }

    /** Kubernetes' controller took the place of ours, detached the volume, and attached it anew beside the old grant. */
    @ParameterizedTest(name = "attachment {0}, of generation {1}: {2}")
    @CsvSource({
        "attached, '',  attached",
        "made,     '',  does not",
        "deleting, '',  does not",
        "attached, 9.c, is not there any more",
    })
    void takesAnAttachmentOfKubernetesForWhatItIsBesideAGrantThatIsOver(
            String state, String generation, String expected) {
        GrantList.Grant grant = new GrantList.Grant(KUBERNETES, "old", "1.p");
        store.put(granting(grant));
        store.put(attachment(KUBERNETES, state, generation, "new"));

        if (expected.equals("attached")) {
            assertThat(check(grant, "").devicePath()).isEqualTo("/dev/live");
        } else {
            assertThatThrownBy(() -> check(grant, "")).hasMessageContaining(expected);
        }
        assertThat(ended).hasSize(generation.isEmpty() ? 0 : 1);
    }

    /** It was held for fenced while it was cut off, and what it hears of its own object may be old. */
    @Test
    void doesNotGoOnWithWhatWasTakenFromTheNodeMeanwhile() {
        GrantList.Grant grant = new GrantList.Grant("va", "uid", "1.p");
        store.put(attachment("va", "deleting", "1.p", "uid"));
        store.put(granting(new GrantList.Grant("va", "uid", "2.q")));

        assertThatThrownBy(() -> check(grant, "uid")).hasMessageContaining("is being ended");
        assertThat(ended).containsExactly(ID + " uid");
    }

    /** The journal has to hold it as long as the volume is attached. */
    @Test
    void takesNoMoreOfARecordThanCanBeRemembered() {
        VolumeAttachment endless = attachment("va", "attached", "1.p", "uid");
        store.put(new VolumeAttachment(
                endless.metadata(),
                endless.spec(),
                new VolumeAttachment.Status(true, Map.of("key", "x".repeat(70_000)), null, null),
                endless.unmodeled()));

        assertThatThrownBy(() -> check(new GrantList.Grant("va", "uid", "1.p")))
                .isInstanceOf(VolumeException.class)
                .hasMessageContaining("70013 characters to remember");
    }

    @Test
    void takesAFailedReadForNothingKnown() {
        store.fails = true;

        assertThatThrownBy(() -> check(null))
                .isInstanceOfSatisfying(
                        VolumeException.class,
                        failure -> assertThat(failure.kind()).isEqualTo(FailureKind.TRANSIENT))
                .hasMessageContaining("cannot verify the attachment");
    }

    private AttachResult check(GrantList.@Nullable Grant grant) {
        return check(grant, "");
    }

    private AttachResult check(GrantList.@Nullable Grant grant, String held) {
        Object result = new GrantCheck(store, "n1", true, (id, uid) -> ended.add(id + " " + uid))
                .call(ID, grant, false, "/dev/shown", held)
                .body()
                .run(new Call());
        return (AttachResult) java.util.Objects.requireNonNull(result);
    }

    private static Node granting(GrantList.Grant grant) {
        Node node = node(true, true);
        String grants = new GrantList(Map.of(ID.toString(), grant)).text();
        return new Node(
                node.metadata().withAnnotation(GrantKeys.GRANTS, grants), node.spec(), node.status(), node.unmodeled());
    }

    private static Node node(boolean used, boolean shown) {
        return node(used, shown, ID.toString());
    }

    private static Node node(boolean used, boolean shown, String name) {
        return new Node(
                ObjectMeta.named("", "n1"),
                new Node.Spec(List.of()),
                new Node.Status(
                        true,
                        used ? List.of(name) : List.of(),
                        shown ? List.of(new Node.AttachedVolume(name, "/dev/live")) : List.of(),
                        Map.of()),
                Unmodeled.none());
    }

    private static VolumeAttachment attachment(String name, String state, String generation) {
        return attachment(name, state, generation, "uid");
    }

    private static VolumeAttachment attachment(String name, String state, String generation, String uid) {
        ObjectMeta meta = new ObjectMeta(
                name,
                "",
                uid,
                "1",
                0,
                Map.of(),
                Map.of(GrantKeys.GENERATION, generation),
                List.of("other"),
                List.of(),
                null,
                state.equals("deleting") ? Instant.EPOCH : null);
        return new VolumeAttachment(
                meta,
                VolumeAttachment.Spec.ofVolume("d", "n1", "pv"),
                new VolumeAttachment.Status(!state.equals("made"), Map.of("key", "value"), null, null),
                Unmodeled.none());
    }

    private static final class Store implements ClusterSource {
        final List<String> reads = new ArrayList<>();
        private final Map<ObjectKey, ApiObject> objects = new LinkedHashMap<>();
        boolean fails;

        void put(ApiObject object) {
            objects.put(object.key(), object);
        }

        @Override
        public Listing list(Kind kind, Selection selection) {
            throw new AssertionError("nothing is listed");
        }

        @Override
        public Watch watch(Kind kind, Selection selection, String from, WatchListener listener) {
            throw new AssertionError("nothing is watched");
        }

        @Override
        public Optional<ApiObject> readLive(ObjectKey key) {
            reads.add(key.toString());
            if (fails) {
                throw new ClusterException(ClusterException.Reason.UNAVAILABLE, "no route");
            }
            return Optional.ofNullable(objects.get(key));
        }
    }

    private static final class Call implements CallContext {
        @Override
        public String operationId() {
            return "op";
        }

        @Override
        public int attempt() {
            return 1;
        }

        @Override
        public Duration remaining() {
            return Duration.ofMinutes(1);
        }

        @Override
        public boolean cancelled() {
            return false;
        }

        @Override
        public void onCancel(Runnable action) {}

        @Override
        public void progress(String message) {}
    }
}
