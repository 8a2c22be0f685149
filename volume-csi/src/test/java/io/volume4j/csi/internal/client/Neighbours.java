package io.volume4j.csi.internal.client;

import io.grpc.stub.ServerCallStreamObserver;
import io.volume4j.csi.CsiEndpoint;
import io.volume4j.csi.internal.proto.BlockMetadata;
import io.volume4j.csi.internal.proto.BlockMetadataType;
import io.volume4j.csi.internal.proto.ControllerGrpc;
import io.volume4j.csi.internal.proto.GetMetadataDeltaResponse;
import io.volume4j.csi.internal.proto.ListVolumesResponse;
import io.volume4j.csi.internal.proto.ProbeRequest;
import io.volume4j.csi.internal.proto.SnapshotMetadataGrpc;
import io.volume4j.csi.internal.proto.Volume;
import io.volume4j.csi.internal.transport.SocketConnection;
import io.volume4j.csi.internal.transport.UnixSocketChannels;
import io.volume4j.csi.testing.Capabilities;
import io.volume4j.csi.testing.Closing;
import io.volume4j.csi.testing.RawServer;
import io.volume4j.csi.testing.Requests;
import io.volume4j.csi.testing.ScriptedDriver;
import io.volume4j.csi.testing.SocketDirectory;
import io.volume4j.csi.testing.TestContext;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Drivers that trouble the I/O thread as much as drivers can, each with callers that do not let go. */
final class Neighbours implements AutoCloseable {
    private static final int CALLERS = 4;
    /** With 500 entries a page is a little smaller than the limit of 4 MiB. */
    private static final String LONG_VALUE = "x".repeat(8000);

    /** Two MiB, and no more than a few KiB when compressed. */
    private static final int BLOCKS = 150_000;

    private final UnixSocketChannels channels;
    private final Closing closing = new Closing();
    private final Closing connections = new Closing();
    private final SocketDirectory directory = closing.later(new SocketDirectory());
    private final TestContext context = TestContext.patient();
    private final List<Thread> callers = new ArrayList<>();
    private final AtomicInteger asleep = new AtomicInteger();
    private final AtomicInteger entriesTaken = new AtomicInteger();
    private final AtomicInteger parts = new AtomicInteger();
    private final AtomicInteger resets = new AtomicInteger();
    private final AtomicInteger refusedConnections = new AtomicInteger();
    private final AtomicInteger failures = new AtomicInteger();
    private final CountDownLatch allAtWork = new CountDownLatch(6);
    private volatile boolean over;

    Neighbours(UnixSocketChannels channels) {
        this.channels = channels;
    }

    /** Starts all of them, and returns when each has done its worst at least once. */
    Neighbours start() throws InterruptedException {
        hangsWithCalls();
        hangsAtConnecting();
        listsLargePages();
        streamsLargeParts();
        resetsItsConnections();
        hangsUpAtOnce();
        boolean atWork = false;
        try {
            atWork = allAtWork.await(60, TimeUnit.SECONDS);
        } finally {
            if (!atWork) {
                // the caller has nothing yet that it could close
                close();
            }
        }
        if (!atWork) {
            throw new AssertionError("not all troubles came about: " + this);
        }
        return this;
    }

    private void hangsWithCalls() {
        CsiClient client = client(
                driver("hang").onStream(ControllerGrpc.getDeleteVolumeMethod(), (request, out) -> first(asleep)),
                "hang");
        repeat(() -> client.controller().deleteVolume(Requests.deleteVolume(), context));
    }

    private void hangsAtConnecting() {
        Path socket = directory.path().resolve("deaf");
        AtomicInteger accepted = new AtomicInteger();
        closing.later(new RawServer(socket, connection -> first(accepted)));
        CsiClient client = client(socket);
        repeat(() -> client.identity().probe(ProbeRequest.getDefaultInstance(), context));
    }

    private void listsLargePages() {
        ListVolumesResponse.Builder entries = ListVolumesResponse.newBuilder();
        for (int i = 0; i < Pager.PAGE_SIZE; i++) {
            entries.addEntries(ListVolumesResponse.Entry.newBuilder()
                    .setVolume(Volume.newBuilder().setVolumeId("vol-" + i).putVolumeContext("k", LONG_VALUE)));
        }
        ListVolumesResponse page = entries.build();
        AtomicInteger token = new AtomicInteger();
        CsiClient client = client(
                driver("large")
                        .on(
                                ControllerGrpc.getListVolumesMethod(),
                                request -> page.toBuilder()
                                        .setNextToken("next-" + token.incrementAndGet())
                                        .build()),
                "large");
        repeat(() -> client.controller()
                .eachVolume(
                        entry -> {
                            first(entriesTaken);
                            return !over;
                        },
                        context));
    }

    /** Compressed ones, so that the little that comes over the socket is much to decode. */
    private void streamsLargeParts() {
        GetMetadataDeltaResponse.Builder blocks = GetMetadataDeltaResponse.newBuilder()
                .setBlockMetadataType(BlockMetadataType.FIXED_LENGTH)
                .setVolumeCapacityBytes(BLOCKS * 4096L);
        for (int i = 0; i < BLOCKS; i++) {
            blocks.addBlockMetadata(
                    BlockMetadata.newBuilder().setByteOffset(i * 4096L).setSizeBytes(4096));
        }
        GetMetadataDeltaResponse part = blocks.build();
        CsiClient client = client(
                driver("stream").onStream(SnapshotMetadataGrpc.getGetMetadataDeltaMethod(), (request, out) -> {
                    ((ServerCallStreamObserver<GetMetadataDeltaResponse>) out).setCompression("gzip");
                    out.onNext(part);
                    out.onCompleted();
                }),
                "stream");
        repeat(() -> client.metadata()
                .getMetadataDelta(Requests.metadataDelta(), context, (style, capacity, some) -> first(parts)));
    }

    private void resetsItsConnections() {
        ScriptedDriver driver = driver("reset");
        driver.onStream(ControllerGrpc.getDeleteVolumeMethod(), (request, out) -> {
            first(resets);
            driver.breakOff();
        });
        CsiClient client = client(driver, "reset");
        repeat(() -> client.controller().deleteVolume(Requests.deleteVolume(), context));
    }

    private void hangsUpAtOnce() {
        Path socket = directory.path().resolve("shut");
        closing.later(new RawServer(socket, connection -> {
            first(refusedConnections);
            connection.close();
        }));
        CsiClient client = client(socket);
        repeat(() -> client.identity().probe(ProbeRequest.getDefaultInstance(), context));
    }

    private void first(AtomicInteger count) {
        if (count.incrementAndGet() == 1) {
            allAtWork.countDown();
        }
    }

    private ScriptedDriver driver(String name) {
        return closing.later(
                        Capabilities.all(new ScriptedDriver(directory.path().resolve(name))))
                .forgetful();
    }

    private CsiClient client(ScriptedDriver driver, String name) {
        driver.start();
        return client(directory.path().resolve(name));
    }

    private CsiClient client(Path socket) {
        return connections.later(new CsiClient(
                new SocketConnection(new CsiEndpoint(socket), channels, System::nanoTime),
                Deadlines.defaults(),
                RpcObserver.NONE));
    }

    /** Again and again from several threads, with and without success. */
    private void repeat(Runnable call) {
        for (int i = 0; i < CALLERS; i++) {
            Thread thread = new Thread(
                    () -> {
                        while (!over) {
                            try {
                                call.run();
                            } catch (CsiException e) {
                                failures.incrementAndGet();
                            }
                        }
                    },
                    "neighbour");
            callers.add(thread);
            thread.start();
        }
    }

    /** How often each of them has been a trouble. */
    @Override
    public String toString() {
        return "entries %d, parts %d, resets %d, refused connections %d, calls that hang %d, failed calls %d"
                .formatted(
                        entriesTaken.get(),
                        parts.get(),
                        resets.get(),
                        refusedConnections.get(),
                        asleep.get(),
                        failures.get());
    }

    int largeParts() {
        return parts.get();
    }

    int resets() {
        return resets.get();
    }

    @Override
    public void close() {
        over = true;
        context.cancel();
        connections.close();
        try {
            for (Thread caller : callers) {
                caller.join(60_000);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        closing.close();
    }
}
