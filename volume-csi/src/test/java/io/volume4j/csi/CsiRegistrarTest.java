package io.volume4j.csi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.BoolValue;
import io.grpc.Status;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.csi.CsiNodes.CsiNode;
import io.volume4j.csi.CsiRegistrarListener.Liveness;
import io.volume4j.csi.internal.proto.IdentityGrpc;
import io.volume4j.csi.internal.proto.NodeGetInfoResponse;
import io.volume4j.csi.internal.proto.NodeGrpc;
import io.volume4j.csi.internal.proto.ProbeResponse;
import io.volume4j.csi.internal.proto.registration.PluginInfo;
import io.volume4j.csi.internal.proto.registration.RegistrationGrpc;
import io.volume4j.csi.internal.proto.registration.RegistrationStatusResponse;
import io.volume4j.csi.testing.Capabilities;
import io.volume4j.csi.testing.Closing;
import io.volume4j.csi.testing.ScriptedDriver;
import io.volume4j.csi.testing.SocketDirectory;
import io.volume4j.inmemory.host.InMemoryPluginHost;
import io.volume4j.inmemory.plugin.InMemoryPlugin;
import io.volume4j.inmemory.plugin.InMemoryStorage;
import io.volume4j.spi.VolumeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Drivers that come, go, are replaced, are not ready and are not well, over real sockets in a watched directory. */
@Timeout(120)
class CsiRegistrarTest {
    private static final String NAME = "d.example.com";
    private static final String NOTHING = "nothing happened for a minute";

    @AutoClose
    private final Closing closing = new Closing();

    private final SocketDirectory directory = closing.later(new SocketDirectory());
    private final PluginRegistry registry =
            PluginRegistry.builder(InMemoryPluginHost.named("n1").build()).build();
    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> told = new LinkedBlockingQueue<>();

    @Test
    void registersADriverThatAnnouncesItselfAndTakesItOutWhenItsSocketGoes() throws IOException {
        start();
        ScriptedDriver driver = announced("a", NAME, "1").start();
        expect("registered d.example.com 1");
        assertThat(registry.byName(NAME)).isPresent();
        assertThat(take(told)).isEqualTo("true ");

        driver.kill();
        Files.deleteIfExists(directory.path().resolve("a.sock"));
        expect("unregistered d.example.com");
        assertThat(registry.byName(NAME)).isEmpty();
    }

    /** As by a cleanup, or by an installation anew. */
    @Test
    void aDirectoryThatIsDeletedAndMadeAgainIsFollowedAgain() throws IOException {
        Path below = Files.createDirectory(directory.path().resolve("registry"));
        closing.later(builder().directory(below).start());
        ScriptedDriver driver = announced("registry/a", NAME, "1").start();
        expect("registered d.example.com 1");

        driver.kill();
        Files.deleteIfExists(below.resolve("a.sock"));
        Files.delete(below);
        expect("unregistered d.example.com");
        Files.createDirectory(below);
        announced("registry/a", NAME, "2").start();

        expect("registered d.example.com 2");
    }

    @Test
    void findsTheDriversThatAreThereAlready() {
        announced("a", NAME, "1").start();
        start();
        expect("registered d.example.com 1");
    }

    @Test
    void aDriverThatStartsAnewIsAskedWhoItIsAgain() {
        start();
        ScriptedDriver driver = announced("a", NAME, "1").start();
        expect("registered d.example.com 1");
        driver.kill();
        Capabilities.named(driver, NAME, "2");
        driver.start();
        expect("registered d.example.com 2");
    }

    @Test
    void theLatestOfTwoHasTheNameAndTheOneBeforeGetsItBack() throws IOException {
        start();
        announced("a", NAME, "1").start();
        expect("registered d.example.com 1");
        ScriptedDriver second = announced("b", NAME, "2").start();
        expect("registered d.example.com 2");
        assertThat(((CsiPlugin) registry.byName(NAME).orElseThrow()).driver().vendorVersion())
                .isEqualTo("2");
        leave(second, "b");
        expect("unregistered d.example.com");
        expect("registered d.example.com 1");
    }

    @Test
    void theLatestOfTwoKeepsTheNameWhenAnotherDriverLeaves() throws IOException {
        CsiRegistrar registrar = start();
        ScriptedDriver first = announced("a", NAME, "1").start();
        expect("registered d.example.com 1");
        announced("b", NAME, "2").start();
        expect("registered d.example.com 2");
        ScriptedDriver other = announced("c", "e.example.com", "1").start();
        expect("registered e.example.com 1");

        leave(other, "c");
        expect("unregistered e.example.com");
        registrar.close();

        assertThat(first.calls("GetInfo"))
                .as("attempts before its name was taken")
                .isEqualTo(1);
    }

    /** The earlier one is tried again and again after the second has left, until there is a third. */
    @Test
    void theLatestOfThreeKeepsTheNameWhenAnEarlierOneGetsReady() throws IOException {
        start();
        ScriptedDriver first = announced("a", NAME, "1").start();
        expect("registered d.example.com 1");
        ScriptedDriver second = announced("b", NAME, "2").start();
        expect("registered d.example.com 2");
        first.on(IdentityGrpc.getProbeMethod(), request -> ready(false));
        leave(second, "b");
        expect("failed");
        ScriptedDriver third = announced("c", NAME, "3").start();
        expect("registered d.example.com 3");

        first.on(IdentityGrpc.getProbeMethod(), request -> ready(true));
        for (int limit = 1; limit <= 5; limit++) {
            node(third, limit);
            expect("node i-1 " + limit);
        }

        assertThat(((CsiPlugin) registry.byName(NAME).orElseThrow()).driver().vendorVersion())
                .isEqualTo("3");
    }

    /** Each additional attempt would begin attempts of its own, for as long as the process runs. */
    @Test
    void aDriverThatIsNotReadyIsTriedNoMoreOftenWhenOtherDriversLeave() throws IOException {
        CsiRegistrar registrar = closing.later(builder()
                .retry(Duration.ofHours(1), Duration.ofHours(1))
                .directory(directory.path())
                .start());
        ScriptedDriver failing = announced("a", NAME, "1");
        failing.on(IdentityGrpc.getProbeMethod(), request -> ready(false)).start();
        expect("failed");

        for (String name : List.of("b", "c", "d")) {
            ScriptedDriver other = announced(name, name + ".example.com", "1").start();
            expect("registered " + name + ".example.com 1");
            leave(other, name);
            expect("unregistered " + name + ".example.com");
        }
        registrar.close();

        assertThat(failing.calls("GetInfo")).isEqualTo(1);
    }

    private void leave(ScriptedDriver driver, String socket) throws IOException {
        driver.kill();
        Files.deleteIfExists(directory.path().resolve(socket + ".sock"));
    }

    @ParameterizedTest
    @CsvSource({
        "CSIPlugin, other.example.com, 1.0.0, calls itself",
        "CSIPlugin, d.example.com,     0.3.0, speaks CSI",
    })
    void aDriverThatCannotBeUsedIsToldWhy(String type, String name, String version, String why) {
        start();
        announced("a", NAME, "1", type, name, version).start();
        assertThat(take(told)).startsWith("false ").contains(why);
        assertThat(registry.plugins()).isEmpty();
    }

    /** An answer may have some MiB, and its text becomes an event and a line of the log. */
    @ParameterizedTest
    @ValueSource(strings = {"0", "1"})
    void ofWhatADriverAnnouncesAMessageRepeatsOneShortLine(String major) {
        start();
        announced("a", NAME, "1", "CSIPlugin", "d\n".repeat(100_000), major + ".0\n".repeat(100_000))
                .start();
        assertThat(take(told)).startsWith("false ").hasSizeLessThan(1_000).doesNotContain("\n");
    }

    @Test
    void whatIsNoCsiDriverIsLeftAlone() {
        start();
        announced("a", NAME, "1", "DevicePlugin", NAME, "1.0.0").start();
        announced("b", "e.example.com", "1").start();
        expect("registered e.example.com 1");
        assertThat(registry.byName(NAME)).isEmpty();
        assertThat(told).doesNotContain("false ");
    }

    @Test
    void hiddenNamesAndFilesThatAreNoSocketsAreNotLookedAt() throws IOException {
        Files.writeString(directory.path().resolve("file.sock"), "");
        announced(".hidden", NAME, "1").start();
        announced("b", "e.example.com", "1").start();
        start();
        expect("registered e.example.com 1");
        assertThat(registry.byName(NAME)).isEmpty();
    }

    @Test
    void aDriverThatIsNotReadyIsTriedAgainUntilItIs() {
        start();
        ScriptedDriver driver = announced("a", NAME, "1");
        driver.on(IdentityGrpc.getProbeMethod(), request -> ready(driver.calls("Probe") > 2))
                .start();
        assertThat(take(told)).isEqualTo("false it is not ready yet");
        expect("registered d.example.com 1");
        assertThat(driver.calls("Probe")).isGreaterThan(2);
    }

    @Test
    void aNamedSocketIsTriedUntilADriverListensThere() {
        CsiEndpoint endpoint = new CsiEndpoint(directory.path().resolve("late.sock"));
        closing.later(builder().endpoint(endpoint).start());
        expect("failed");
        ScriptedDriver driver = closing.later(new ScriptedDriver(endpoint.socket()));
        Capabilities.all(driver);
        Capabilities.named(driver, NAME, "1");
        driver.on(IdentityGrpc.getProbeMethod(), request -> ready(true)).start();
        expect("registered d.example.com 1");
    }

    @Test
    void tellsHowADriverIsAndKeepsItRegisteredWhenItIsUnwell() {
        start();
        ScriptedDriver driver = announced("a", NAME, "1").start();
        expect("liveness READY");
        driver.on(IdentityGrpc.getProbeMethod(), request -> ready(false));
        expect("liveness STARTING");
        driver.failing(IdentityGrpc.getProbeMethod(), Status.FAILED_PRECONDITION);
        expect("liveness UNWELL");
        assertThat(registry.byName(NAME)).isPresent();
        driver.on(IdentityGrpc.getProbeMethod(), request -> ready(true));
        expect("liveness READY");
    }

    @Test
    void tellsWhatTheDriverSaysOfItsNodeWheneverThatChanges() {
        start();
        ScriptedDriver driver = announced("a", NAME, "1");
        node(driver, 8).start();
        expect("node i-1 8");
        node(driver, 7);
        expect("node i-1 7");
    }

    @Test
    void aPluginOfTheHostKeepsItsName() {
        registry.add(InMemoryPlugin.builder(InMemoryStorage.create()).name(NAME).build());
        start();
        announced("a", NAME, "1").start();
        assertThat(take(told)).startsWith("false ").contains("is there already");
        assertThat(registry.byName(NAME).orElseThrow()).isInstanceOf(InMemoryPlugin.class);
    }

    @Test
    void aDirectoryThatIsNotThereIsSaidAtOnce() {
        assertThatThrownBy(() -> CsiRegistrar.builder(registry)
                        .directory(Path.of("/nonexistent/plugins"))
                        .start())
                .isInstanceOf(VolumeException.class)
                .hasMessageContaining("/nonexistent/plugins");
    }

    @Test
    void closingTakesItsDriversOutAgain() {
        CsiRegistrar registrar = start();
        announced("a", NAME, "1").start();
        expect("registered d.example.com 1");
        assertThat(registrar.whenRegistered(NAME).join().name()).isEqualTo(NAME);
        CompletableFuture<CsiPlugin> waiting = registrar.whenRegistered("never.example.com");
        registrar.close();
        assertThat(registry.plugins()).isEmpty();
        assertThat(waiting).isCancelled();
        assertThat(registrar.whenRegistered(NAME)).as("asked too late").isCancelled();
    }

    @Test
    void aListenerMayCloseTheRegistrar() {
        CompletableFuture<CsiRegistrar> made = new CompletableFuture<>();
        CsiRegistrar registrar = closing.later(builder()
                .directory(directory.path())
                .listener(new Registered(plugin -> {
                    made.join().close();
                    events.add("closed");
                }))
                .start());
        made.complete(registrar);
        announced("a", NAME, "1").start();

        expect("closed");
        assertThat(registry.plugins()).isEmpty();
    }

    /** A stage may call the driver, which must not delay the answer to the driver's registrar, and may close the registrar. */
    @Test
    void whatAHostDoesWhenADriverIsRegisteredDelaysNoOtherDriver() {
        CsiRegistrar registrar = start();
        CompletableFuture<Void> mayGoOn = new CompletableFuture<>();
        CompletableFuture<Void> closed = registrar.whenRegistered(NAME).thenAccept(plugin -> {
            mayGoOn.join();
            registrar.close();
        });
        announced("a", NAME, "1").start();
        assertThat(take(told)).isEqualTo("true ");
        announced("b", "e.example.com", "1").start();
        expect("registered e.example.com 1");

        mayGoOn.complete(null);
        closed.join();
        assertThat(registry.plugins()).isEmpty();
    }

    @Test
    void aListenerThatWaitsForALockOfTheThreadThatClosesDelaysItByThePatience() {
        Object lock = new Object();
        CsiRegistrar registrar = closing.later(builder()
                .directory(directory.path())
                .patience(Duration.ofSeconds(1))
                .listener(new Registered(plugin -> {
                    events.add("wants the lock");
                    synchronized (lock) {
                        events.add("has the lock");
                    }
                }))
                .start());
        synchronized (lock) {
            announced("a", NAME, "1").start();
            expect("wants the lock");
            registrar.close();
        }
    }

    /** Hears only of registrations. */
    private record Registered(Consumer<CsiPlugin> then) implements CsiRegistrarListener {
        @Override
        public void registered(CsiPlugin plugin) {
            then.accept(plugin);
        }
    }

    /** Nothing that a listener does keeps drivers from coming, from going, and from being tried again. */
    @Test
    void aListenerThatFailsHarmsNoOtherListener() throws IOException {
        CsiRegistrarListener heard = listener();
        CsiRegistrar registrar = closing.later(builder()
                .directory(directory.path())
                .listener(new CsiRegistrarListener() {
                    @Override
                    public void registered(CsiPlugin plugin) {
                        heard.registered(plugin);
                        throw new IllegalStateException("registered");
                    }

                    @Override
                    public void unregistered(String driver) {
                        heard.unregistered(driver);
                        throw new IllegalStateException("unregistered");
                    }

                    @Override
                    public void failed(CsiEndpoint socket, String reason) {
                        heard.failed(socket, reason);
                        throw new IllegalStateException("failed");
                    }

                    @Override
                    public void nodeChanged(String driver, CsiNode node) {
                        heard.nodeChanged(driver, node);
                        throw new IllegalStateException("nodeChanged");
                    }

                    @Override
                    public void liveness(String driver, Liveness liveness, String reason) {
                        heard.liveness(driver, liveness, reason);
                        throw new IllegalStateException("liveness");
                    }
                })
                .start());
        ScriptedDriver driver = announced("a", NAME, "1");
        driver.on(IdentityGrpc.getProbeMethod(), request -> ready(false)).start();
        expect("failed");
        expect("failed");
        driver.on(IdentityGrpc.getProbeMethod(), request -> ready(true));
        expect("registered d.example.com 1");
        assertThat(registrar.whenRegistered(NAME).join().name()).isEqualTo(NAME);
        expect("node i-1 0");
        node(driver, 7);
        expect("node i-1 7");
        driver.on(IdentityGrpc.getProbeMethod(), request -> ready(false));
        expect("liveness STARTING");

        driver.kill();
        Files.deleteIfExists(directory.path().resolve("a.sock"));
        expect("unregistered d.example.com");
        announced("b", NAME, "2").start();
        expect("registered d.example.com 2");
        registrar.close();
        assertThat(registry.plugins()).isEmpty();
    }

    @Test
    void whatAHostDoesWrongWithADriversSettingsIsToldAndTriedAgain() {
        AtomicInteger asked = new AtomicInteger();
        closing.later(builder()
                .directory(directory.path())
                .driver(NAME, plugin -> {
                    if (asked.incrementAndGet() < 3) {
                        throw new IllegalStateException("no settings yet");
                    }
                    return plugin;
                })
                .start());
        announced("a", NAME, "1").start();
        expect("failed");
        expect("failed");
        expect("registered d.example.com 1");
    }

    /** Each hand-over fails twice, in each of the ways in which executors do. */
    @ParameterizedTest
    @CsvSource({"true", "false"})
    void everyThingIsDoneAlthoughThereIsNoThreadForItAtFirst(boolean rejects) throws IOException {
        AtomicInteger submissions = new AtomicInteger();
        Registrations scarce = new Registrations(builder().directory(directory.path()), workers -> task -> {
            if (submissions.getAndIncrement() % 3 < 2) {
                if (rejects) {
                    throw new RejectedExecutionException("full");
                }
                throw new OutOfMemoryError("unable to create native thread");
            }
            workers.execute(task);
        });
        closing.later(scarce);
        AtomicInteger limit = new AtomicInteger();
        ScriptedDriver driver = announced("a", NAME, "1")
                .on(
                        NodeGrpc.getNodeGetInfoMethod(),
                        request -> NodeGetInfoResponse.newBuilder()
                                .setNodeId("i-1")
                                .setMaxVolumesPerNode(limit.incrementAndGet())
                                .build());
        driver.start();
        scarce.start();
        expect("registered d.example.com 1");
        assertThat(take(told)).isEqualTo("true ");
        expect("node i-1 2");
        expect("node i-1 3");

        driver.kill();
        Files.deleteIfExists(directory.path().resolve("a.sock"));
        expect("unregistered d.example.com");
        announced("a", NAME, "2").start();
        expect("registered d.example.com 2");
    }

    private CsiRegistrar start() {
        return closing.later(builder().directory(directory.path()).start());
    }

    private CsiRegistrar.Builder builder() {
        return CsiRegistrar.builder(registry)
                .channelOptions(ChannelOptions.defaults().withCloseTimeout(Duration.ofMillis(200)))
                .retry(Duration.ofMillis(5), Duration.ofMillis(20))
                .probeInterval(Duration.ofMillis(10))
                .nodeInterval(Duration.ofMillis(10))
                .listener(listener());
    }

    private CsiRegistrarListener listener() {
        return new CsiRegistrarListener() {
            @Override
            public void registered(CsiPlugin plugin) {
                events.add("registered " + plugin.name() + " " + plugin.driver().vendorVersion());
            }

            @Override
            public void unregistered(String driver) {
                events.add("unregistered " + driver);
            }

            @Override
            public void failed(CsiEndpoint socket, String reason) {
                events.add("failed");
            }

            @Override
            public void nodeChanged(String driver, CsiNode node) {
                events.add("node " + node.nodeId() + " " + node.maxVolumes());
            }

            @Override
            public void liveness(String driver, Liveness liveness, String reason) {
                events.add("liveness " + liveness);
            }
        };
    }

    private ScriptedDriver announced(String socket, String name, String version) {
        return announced(socket, name, version, "CSIPlugin", name, "1.0.0");
    }

    /** A driver whose registrar answers on the same socket. */
    private ScriptedDriver announced(
            String socket, String name, String version, String type, String announcedName, String csi) {
        ScriptedDriver driver =
                closing.later(new ScriptedDriver(directory.path().resolve(socket + ".sock")));
        Capabilities.all(driver);
        Capabilities.named(driver, name, version);
        driver.on(IdentityGrpc.getProbeMethod(), request -> ready(true));
        driver.on(
                RegistrationGrpc.getGetInfoMethod(),
                request -> PluginInfo.newBuilder()
                        .setType(type)
                        .setName(announcedName)
                        .addSupportedVersions(csi)
                        .build());
        driver.on(RegistrationGrpc.getNotifyRegistrationStatusMethod(), request -> {
            told.add(request.getPluginRegistered() + " " + request.getError());
            return RegistrationStatusResponse.getDefaultInstance();
        });
        return node(driver, 0);
    }

    private static ScriptedDriver node(ScriptedDriver driver, int limit) {
        return driver.on(
                NodeGrpc.getNodeGetInfoMethod(),
                request -> NodeGetInfoResponse.newBuilder()
                        .setNodeId("i-1")
                        .setMaxVolumesPerNode(limit)
                        .build());
    }

    private static ProbeResponse ready(boolean ready) {
        return ProbeResponse.newBuilder().setReady(BoolValue.of(ready)).build();
    }

    private void expect(String event) {
        String seen;
        do {
            seen = take(events);
            assertThat(seen).as("waiting for " + event).isNotEqualTo(NOTHING);
        } while (!seen.equals(event));
    }

    private static String take(BlockingQueue<String> queue) {
        try {
            String event = queue.poll(60, TimeUnit.SECONDS);
            return event == null ? NOTHING : event;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted";
        }
    }
}
