package io.volume4j.examples.csilifecycle;

import io.volume4j.csi.CsiEndpoint;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * Kills a driver with a program of the user, and checks that the connections have ended: otherwise the driver was not
 * killed.
 */
final class CommandKiller implements Killer {
    private static final Duration LOOK_AGAIN = Duration.ofMillis(20);
    private static final String ADVICE =
            "the program must end the driver's process, and something must start it again: run it by hand to see what it says";

    private final List<String> command;
    private final Set<CsiEndpoint> endpoints;
    private final InstantSource clock;
    private final Duration patience;
    private final StopSignal stop;

    /** @param command a program and its arguments; not run by a shell */
    CommandKiller(
            List<String> command,
            List<CsiEndpoint> endpoints,
            InstantSource clock,
            Duration patience,
            StopSignal stop) {
        this.command = List.copyOf(command);
        this.endpoints = Set.copyOf(endpoints);
        this.clock = clock;
        this.patience = patience;
        this.stop = stop;
    }

    @Override
    public void kill() {
        List<SocketChannel> witnesses = new ArrayList<>();
        try {
            for (CsiEndpoint endpoint : endpoints) {
                witnesses.add(connected(endpoint));
            }
            execute();
            demandEnded(witnesses);
        } catch (IOException e) {
            throw new Failed("the driver cannot be killed by " + command + ": " + e.getMessage(), ADVICE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StopSignal.Stopped();
        } finally {
            witnesses.forEach(CommandKiller::close);
        }
    }

    /** The driver may still be restarting after the last kill. */
    private SocketChannel connected(CsiEndpoint endpoint) throws IOException {
        Instant until = clock.instant().plus(patience);
        while (true) {
            SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
            try {
                channel.connect(UnixDomainSocketAddress.of(endpoint.socket()));
                channel.configureBlocking(false);
                return channel;
            } catch (IOException notThere) {
                channel.close();
                if (clock.instant().isAfter(until)) {
                    throw new IOException("no driver listens at " + endpoint + " for " + patience.toSeconds() + " s");
                }
                stop.pause(LOOK_AGAIN);
            }
        }
    }

    /** Discards the output: a driver that the program starts may keep the pipe open. */
    private void execute() throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        process.getOutputStream().close();
        if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
            process.destroyForcibly();
            throw new Failed(command + " has not ended in " + patience.toSeconds() + " s", ADVICE);
        }
        if (process.exitValue() != 0) {
            throw new Failed(command + " has ended with exit code " + process.exitValue(), ADVICE);
        }
    }

    private void demandEnded(List<SocketChannel> witnesses) throws IOException {
        Set<Integer> open = new TreeSet<>();
        try (Selector selector = Selector.open()) {
            for (int number = 0; number < witnesses.size(); number++) {
                witnesses.get(number).register(selector, SelectionKey.OP_READ, number);
                open.add(number);
            }
            Instant until = clock.instant().plus(patience);
            while (!open.isEmpty()) {
                long left = Duration.between(clock.instant(), until).toMillis();
                if (left <= 0) {
                    throw new Failed(command + " has succeeded, and the driver's process still lives", ADVICE);
                }
                selector.select(left);
                for (SelectionKey key : selector.selectedKeys()) {
                    if (hasEnded((SocketChannel) key.channel())) {
                        key.cancel();
                        open.remove((Integer) key.attachment());
                    }
                }
                selector.selectedKeys().clear();
            }
        }
    }

    /** A server may send data first. */
    private static boolean hasEnded(SocketChannel channel) {
        try {
            return channel.read(ByteBuffer.allocate(4096)) < 0;
        } catch (IOException reset) {
            return true;
        }
    }

    private static void close(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException alreadyGone) {
            // the connection was only for the check
        }
    }
}
