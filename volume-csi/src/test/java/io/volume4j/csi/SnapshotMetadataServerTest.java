package io.volume4j.csi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Status;
import io.volume4j.core.codec.Manifests;
import io.volume4j.core.control.SnapshotBlocks;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.csi.internal.proto.BlockMetadata;
import io.volume4j.csi.internal.proto.BlockMetadataType;
import io.volume4j.csi.internal.proto.GetMetadataAllocatedRequest;
import io.volume4j.csi.internal.proto.GetMetadataAllocatedResponse;
import io.volume4j.csi.internal.proto.GetMetadataDeltaRequest;
import io.volume4j.csi.internal.proto.GetMetadataDeltaResponse;
import io.volume4j.csi.internal.proto.SnapshotMetadataGrpc;
import io.volume4j.csi.testing.BackupClient;
import io.volume4j.csi.testing.BackupClient.Part;
import io.volume4j.csi.testing.Given;
import io.volume4j.csi.testing.PluginHarness;
import io.volume4j.inmemory.cluster.ClusterFault;
import io.volume4j.inmemory.cluster.ClusterVerb;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.inmemory.host.InMemoryPluginHost;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.model.SecretRef;
import io.volume4j.spi.plugin.PluginHost;
import io.volume4j.spi.plugin.SnapshotMetadata;
import io.volume4j.spi.plugin.SnapshotMetadata.Block;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Backup programs ask for the blocks of snapshots, as Kubernetes' changed block tracking has it. */
class SnapshotMetadataServerTest {
    private static final long CAPACITY = 1_000_000_000;
    private static final String SNAPSHOTS = """
            {apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshot, metadata: {name: monday, namespace: shop, uid: u-mon},
             spec: {source: {persistentVolumeClaimName: data}}, status: {boundVolumeSnapshotContentName: c-mon, readyToUse: true}}
            ---
            {apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshotContent, metadata: {name: c-mon, annotations: {
              snapshot.storage.kubernetes.io/deletion-secret-name: snap, snapshot.storage.kubernetes.io/deletion-secret-namespace: kube-system}},
             spec: {volumeSnapshotRef: {namespace: shop, name: monday, uid: u-mon}, deletionPolicy: Delete, driver: DRIVER, source: {volumeHandle: v1}},
             status: {snapshotHandle: s-mon, readyToUse: true}}
            ---
            {apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshot, metadata: {name: tuesday, namespace: shop, uid: u-tue},
             spec: {source: {persistentVolumeClaimName: data}}, status: {boundVolumeSnapshotContentName: c-tue, readyToUse: true}}
            ---
            {apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshotContent, metadata: {name: c-tue},
             spec: {volumeSnapshotRef: {namespace: shop, name: tuesday, uid: u-tue}, deletionPolicy: Delete, driver: DRIVER, source: {volumeHandle: v1},
              volumeSnapshotClassName: cold},
             status: {snapshotHandle: s-tue, readyToUse: true}}
            ---
            {apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshotClass, metadata: {name: cold}, driver: DRIVER, deletionPolicy: Delete,
             parameters: {csi.storage.k8s.io/snapshotter-secret-name: "snap-${volumesnapshot.namespace}", csi.storage.k8s.io/snapshotter-secret-namespace: kube-system}}
            ---
            {apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshot, metadata: {name: other, namespace: shop, uid: u-oth},
             spec: {source: {persistentVolumeClaimName: more}}, status: {boundVolumeSnapshotContentName: c-oth, readyToUse: true}}
            ---
            {apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshotContent, metadata: {name: c-oth},
             spec: {volumeSnapshotRef: {namespace: shop, name: other, uid: u-oth}, deletionPolicy: Delete, driver: DRIVER, source: {volumeHandle: v2}},
             status: {snapshotHandle: s-oth, readyToUse: true}}
            ---
            {apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshot, metadata: {name: young, namespace: shop, uid: u-you},
             spec: {source: {persistentVolumeClaimName: data}}, status: {boundVolumeSnapshotContentName: c-you, readyToUse: false}}
            ---
            {apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshot, metadata: {name: thief, namespace: shop, uid: u-thi},
             spec: {source: {volumeSnapshotContentName: c-far}}, status: {boundVolumeSnapshotContentName: c-far, readyToUse: true}}
            ---
            {apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshotContent, metadata: {name: c-far},
             spec: {volumeSnapshotRef: {namespace: bank, name: gold, uid: u-gold}, deletionPolicy: Delete, driver: DRIVER, source: {volumeHandle: v9}},
             status: {snapshotHandle: s-far, readyToUse: true}}
            ---
            {apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshot, metadata: {name: foreign, namespace: shop, uid: u-for},
             spec: {source: {volumeSnapshotContentName: c-for}}, status: {boundVolumeSnapshotContentName: c-for, readyToUse: true}}
            ---
            {apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshotContent, metadata: {name: c-for},
             spec: {volumeSnapshotRef: {namespace: shop, name: foreign, uid: u-for}, deletionPolicy: Delete, driver: elsewhere.example.com, source: {volumeHandle: v1}},
             status: {snapshotHandle: s-for, readyToUse: true}}
            """.replace("DRIVER", Given.DRIVER);

    @AutoClose
    private final PluginHarness world = new PluginHarness();

    private final InMemoryCluster cluster = InMemoryCluster.create();
    private final SnapshotAccess access = (token, namespace) -> switch (token) {
        case "reader" -> SnapshotAccess.Answer.allowed();
        case "guest" -> SnapshotAccess.Answer.denied("no role of guest allows it");
        case "lost" -> throw new ClusterException(ClusterException.Reason.UNAVAILABLE, "review token: no answer");
        default -> SnapshotAccess.Answer.unknownToken();
    };

    SnapshotMetadataServerTest() {
        Manifests.read("test", SNAPSHOTS).forEach(cluster::apply);
        world.secret(new SecretRef("kube-system", "snap"), "tops3cret-monday");
        world.secret(new SecretRef("kube-system", "snap-shop"), "tops3cret-class");
    }

    @Test
    void tellsTheBlocksThatHoldDataWithTheSecretThatTheContentKeeps() throws IOException {
        allocated(blocks(0, 10, 3));

        assertThat(client().allocated("monday", ask -> ask))
                .containsExactly(new Part(CAPACITY, List.of(new Block(0, 10), new Block(10, 10), new Block(20, 10))));
        GetMetadataAllocatedRequest sent = world.calls.last(GetMetadataAllocatedRequest.class);
        assertThat(sent.getSnapshotId()).isEqualTo("s-mon");
        assertThat(sent.getSecretsMap()).containsEntry("password", "tops3cret-monday");
    }

    @Test
    void tellsWhatChangedWithTheSecretThatTheClassNames() throws IOException {
        world.calls.<GetMetadataDeltaRequest, GetMetadataDeltaResponse>onStream(
                SnapshotMetadataGrpc.getGetMetadataDeltaMethod(), (request, out) -> {
                    out.onNext(GetMetadataDeltaResponse.newBuilder()
                            .setBlockMetadataType(BlockMetadataType.FIXED_LENGTH)
                            .setVolumeCapacityBytes(CAPACITY)
                            .addAllBlockMetadata(blocks(40, 10, 1))
                            .build());
                    out.onCompleted();
                });

        assertThat(client().changed("monday", "tuesday"))
                .containsExactly(new Part(CAPACITY, List.of(new Block(40, 10))));
        GetMetadataDeltaRequest sent = world.calls.last(GetMetadataDeltaRequest.class);
        assertThat(List.of(sent.getBaseSnapshotId(), sent.getTargetSnapshotId()))
                .containsExactly("s-mon", "s-tue");
        assertThat(sent.getSecretsMap()).containsEntry("password", "tops3cret-class");
    }

    /** Who may not ask learns nothing of what snapshots there are. */
    @ParameterizedTest(name = "{0} of {1}: {2}")
    @CsvSource({
        "reader, monday,  OK,                ''",
        "'',     monday,  INVALID_ARGUMENT,  security_token is missing",
        "reader, '',      INVALID_ARGUMENT,  snapshot_name is missing",
        "who,    monday,  UNAUTHENTICATED,   of no user",
        "who,    nothing, UNAUTHENTICATED,   of no user",
        "guest,  monday,  PERMISSION_DENIED, no role of guest allows it",
        "guest,  nothing, PERMISSION_DENIED, no role of guest allows it",
        "lost,   monday,  UNAVAILABLE,       'review token: no answer'",
        "reader, nothing, NOT_FOUND,         VolumeSnapshot/shop/nothing does not exist",
        "reader, young,   UNAVAILABLE,       VolumeSnapshot/shop/young is not ready to use",
        "reader, thief,   UNAVAILABLE,       VolumeSnapshotContent//c-far is not bound to VolumeSnapshot/shop/thief",
        "reader, foreign, INVALID_ARGUMENT,  of driver elsewhere.example.com",
    })
    void saysWhatIsWrongWithAQuestion(String token, String snapshot, Status.Code code, String message)
            throws IOException {
        allocated(blocks(0, 10, 1));
        BackupClient client = client();

        Status status = BackupClient.statusOf(() -> client.allocated(snapshot, ask -> ask.setSecurityToken(token)));

        assertThat(status.getCode()).isEqualTo(code);
        assertThat(String.valueOf(status.getDescription())).contains(message);
        assertThat(world.calls.of(GetMetadataAllocatedRequest.class)).hasSize(code == Status.Code.OK ? 1 : 0);
    }

    @Test
    void numbersBelowZeroAreMistakes() throws IOException {
        BackupClient client = client();

        assertThat(BackupClient.statusOf(() -> client.allocated("monday", ask -> ask.setStartingOffset(-1)))
                        .getDescription())
                .isEqualTo("starting_offset is negative");
        assertThat(BackupClient.statusOf(() -> client.allocated("monday", ask -> ask.setMaxResults(-1)))
                        .getDescription())
                .isEqualTo("max_results is negative");
    }

    @Test
    void snapshotsOfDifferentVolumesAreNotCompared() throws IOException {
        BackupClient client = client();

        assertThat(BackupClient.statusOf(() -> client.changed("monday", "other")))
                .extracting(Status::getCode, Status::getDescription)
                .containsExactly(
                        Status.Code.INVALID_ARGUMENT,
                        "VolumeSnapshot/shop/monday and VolumeSnapshot/shop/other are snapshots of different volumes");
    }

    @ParameterizedTest(name = "a driver''s {0} is {1}")
    @CsvSource({
        "OUT_OF_RANGE, OUT_OF_RANGE",
        "NOT_FOUND,    NOT_FOUND",
        "UNAVAILABLE,  UNAVAILABLE",
    })
    void whatTheDriverSaysOfTheQuestionIsPassedOn(Status.Code driver, Status.Code told) throws IOException {
        world.driver.failing(
                SnapshotMetadataGrpc.getGetMetadataAllocatedMethod(),
                driver.toStatus().withDescription("as the driver says"));
        BackupClient client = client();

        Status status = BackupClient.statusOf(() -> client.allocated("monday", ask -> ask));

        assertThat(status.getCode()).isEqualTo(told);
        assertThat(status.getDescription()).contains("as the driver says").doesNotContain("tops3cret");
    }

    @Test
    void aClusterThatDoesNotAnswerIsSomethingToTryAgain() throws IOException {
        BackupClient client = client();
        cluster.fail(ClusterFault.on(ClusterVerb.READ));

        assertThat(BackupClient.statusOf(() -> client.allocated("monday", ask -> ask))
                        .getCode())
                .isEqualTo(Status.Code.UNAVAILABLE);
    }

    @Test
    void aResponseHasNoMoreBlocksThanTheClientWants() throws IOException {
        allocated(blocks(0, 10, 7));

        assertThat(client().allocated("monday", ask -> ask.setMaxResults(3)))
                .extracting(part -> part.blocks().size())
                .containsExactly(3, 3, 1);
    }

    /** A snapshot without data has a size all the same. */
    @Test
    void aSnapshotWithoutDataIsAnAnswerWithoutBlocks() throws IOException {
        allocated(List.of());

        assertThat(client().allocated("monday", ask -> ask)).containsExactly(new Part(CAPACITY, List.of()));
    }

    @Test
    void tellsNoBlockTwiceWhereAPluginGoesOnAfterABrokenStream() throws IOException {
        BackupClient client = new BackupClient(server(16, new Telling(sink -> {
                    sink.accept(CAPACITY, List.of(new Block(0, 10), new Block(10, 10)));
                    sink.accept(CAPACITY, List.of(new Block(10, 10)));
                    sink.accept(CAPACITY, List.of(new Block(15, 10), new Block(30, 10)));
                }))
                .address());

        assertThat(world.later(client).allocated("monday", ask -> ask.setStartingOffset(10)))
                .containsExactly(
                        new Part(CAPACITY, List.of(new Block(10, 10))),
                        new Part(CAPACITY, List.of(new Block(20, 5), new Block(30, 10))));
    }

    @Test
    void aClientThatTakesNothingIsSentNoMoreThanItsWindow() throws IOException {
        int all = 2_000;
        AtomicInteger told = new AtomicInteger();
        BackupClient client = world.later(new BackupClient(server(16, new Telling(sink -> {
                    for (int i = 0; i < all; i++) {
                        sink.accept(CAPACITY, manyBlocks(i));
                        told.incrementAndGet();
                    }
                }))
                .address()));

        Iterator<?> answer = client.begin("monday", ask -> ask);
        assertThat(answer.hasNext()).isTrue();
        Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> told.get() > 0);
        Awaitility.await()
                .during(Duration.ofMillis(300))
                .atMost(Duration.ofMinutes(1))
                .until(told::get, new Unchanged()::since);
        assertThat(told).hasValueBetween(1, all / 2);

        answer.forEachRemaining(part -> {});
        assertThat(told).hasValue(all);
    }

    @Test
    void aClientThatLeavesEndsTheCallOfThePlugin() throws Exception {
        CompletableFuture<Throwable> ended = new CompletableFuture<>();
        BackupClient client = world.later(new BackupClient(server(16, new Telling(sink -> {
                    try {
                        for (int i = 0; ; i++) {
                            sink.accept(CAPACITY, manyBlocks(i));
                        }
                    } catch (RuntimeException end) {
                        ended.complete(end);
                        throw end;
                    }
                }))
                .address()));
        assertThat(client.begin("monday", ask -> ask).hasNext()).isTrue();

        client.close();

        assertThat(ended.get(1, TimeUnit.MINUTES)).hasMessageContaining("the client left");
    }

    /** The driver has more to say, and would go on where it was if its own stream had broken. */
    @Test
    void aDriverIsNotAskedToGoOnForAClientThatIsTooSlow() throws Exception {
        world.calls.<GetMetadataAllocatedRequest, GetMetadataAllocatedResponse>onStream(
                SnapshotMetadataGrpc.getGetMetadataAllocatedMethod(), (request, out) -> {
                    for (int i = 0; i < 200; i++) {
                        out.onNext(GetMetadataAllocatedResponse.newBuilder()
                                .setBlockMetadataType(BlockMetadataType.FIXED_LENGTH)
                                .setVolumeCapacityBytes(CAPACITY)
                                .addAllBlockMetadata(blocks(request.getStartingOffset() + i * 10_000L, 10, 1000))
                                .build());
                    }
                    out.onCompleted();
                });
        SnapshotMetadataServer server = world.later(
                builder(1, world.plugin()).longestCall(Duration.ofSeconds(10)).start());
        BackupClient client = world.later(new BackupClient(server.address()));
        Iterator<?> answer = client.begin("monday", ask -> ask);
        assertThat(answer.hasNext()).isTrue();

        BackupClient next = world.later(new BackupClient(server.address()));
        Awaitility.await()
                .atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(BackupClient.statusOf(() -> next.allocated("nothing", ask -> ask))
                                .getCode())
                        .as("the only place is free again")
                        .isEqualTo(Status.Code.NOT_FOUND));
        assertThat(BackupClient.statusOf(() -> answer.forEachRemaining(part -> {})))
                .extracting(Status::getCode, Status::getDescription)
                .containsExactly(Status.Code.DEADLINE_EXCEEDED, "the call took too long; go on behind the last block");
        assertThat(world.calls.of(GetMetadataAllocatedRequest.class)).hasSize(1);
    }

    @Test
    void moreCallsThanThereIsRoomForAreToComeAgain() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        SnapshotMetadataServer server = server(1, new Telling(sink -> {
            asked.countDown();
            await(go);
        }));
        BackupClient one = world.later(new BackupClient(server.address()));
        BackupClient two = world.later(new BackupClient(server.address()));
        CompletableFuture<Status> first =
                CompletableFuture.supplyAsync(() -> BackupClient.statusOf(() -> one.allocated("monday", ask -> ask)));
        await(asked);

        assertThat(BackupClient.statusOf(() -> two.allocated("monday", ask -> ask))
                        .getCode())
                .isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        go.countDown();
        assertThat(first.get(1, TimeUnit.MINUTES).getCode()).isEqualTo(Status.Code.OK);
    }

    @Test
    void tokensTravelWithoutTlsOnALoopbackAddressOnly() {
        SnapshotMetadataServer.Builder builder =
                SnapshotMetadataServer.builder(new SnapshotBlocks(cluster, registry(world.plugin())), access);

        assertThatThrownBy(builder::start)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("tls()");
        assertThatThrownBy(() -> builder.plaintextOnLoopback().start())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("loopback address only");
    }

    private static List<Block> manyBlocks(int part) {
        return LongStream.range(0, 1000)
                .mapToObj(i -> new Block((part * 1000L + i) * 20, 10))
                .toList();
    }

    /** Becomes true once a number stays as it is from one look to the next. */
    private static final class Unchanged {
        private int last = -1;

        boolean since(int now) {
            boolean same = now == last;
            last = now;
            return same;
        }
    }

    /** A plugin that tells blocks so. */
    private record Telling(Consumer<BlockSink> tell) implements VolumePlugin, SnapshotMetadata {
        @Override
        public String name() {
            return Given.DRIVER;
        }

        @Override
        public void init(PluginHost host) {}

        @Override
        public boolean supports(VolumeSpec spec) {
            return false;
        }

        @Override
        public String volumeName(VolumeSpec spec) {
            return spec.name();
        }

        @Override
        public Optional<SnapshotMetadata> snapshotMetadata() {
            return Optional.of(this);
        }

        @Override
        public void allocated(AllocatedRequest request, BlockSink sink, CallContext context) {
            tell.accept(sink);
        }

        @Override
        public void changed(ChangedRequest request, BlockSink sink, CallContext context) {
            tell.accept(sink);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private PluginRegistry registry(VolumePlugin plugin) {
        return PluginRegistry.builder(InMemoryPluginHost.named(Given.NODE)
                        .root(Given.ROOT)
                        .mounts(world.machine)
                        .secrets(world.secrets)
                        .build())
                .plugins(List.of(plugin))
                .build();
    }

    private SnapshotMetadataServer server(int calls, VolumePlugin plugin) throws IOException {
        return world.later(builder(calls, plugin).start());
    }

    private SnapshotMetadataServer.Builder builder(int calls, VolumePlugin plugin) {
        return SnapshotMetadataServer.builder(new SnapshotBlocks(cluster, registry(plugin)), access)
                .address(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .plaintextOnLoopback()
                .calls(calls)
                .longestCall(Duration.ofMinutes(1));
    }

    private BackupClient client() throws IOException {
        return world.later(new BackupClient(server(16, world.plugin()).address()));
    }

    private void allocated(List<BlockMetadata> blocks) {
        world.calls.<GetMetadataAllocatedRequest, GetMetadataAllocatedResponse>onStream(
                SnapshotMetadataGrpc.getGetMetadataAllocatedMethod(), (request, out) -> {
                    out.onNext(GetMetadataAllocatedResponse.newBuilder()
                            .setBlockMetadataType(BlockMetadataType.FIXED_LENGTH)
                            .setVolumeCapacityBytes(CAPACITY)
                            .addAllBlockMetadata(blocks)
                            .build());
                    out.onCompleted();
                });
    }

    private static List<BlockMetadata> blocks(long offset, long size, int count) {
        List<BlockMetadata> blocks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            blocks.add(BlockMetadata.newBuilder()
                    .setByteOffset(offset + i * size)
                    .setSizeBytes(size)
                    .build());
        }
        return blocks;
    }
}
