package io.volume4j.examples.etcd;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.util.concurrent.TimeUnit;

/** etcd's own proxy in front of a member, which asks it once for what many clients watch. */
final class EtcdProxy implements AutoCloseable {
    private final Process process;
    private final URI uri;

    private EtcdProxy(Process process, URI uri) {
        this.process = process;
        this.uri = uri;
    }

    static EtcdProxy start(URI member) {
        try {
            int port = FreePorts.find(1).get(0);
            String address = "127.0.0.1:" + port;
            Process process = new ProcessBuilder(
                            "etcd",
                            "grpc-proxy",
                            "start",
                            "--endpoints=" + member.getAuthority(),
                            "--listen-addr=" + address,
                            "--advertise-client-url=" + address)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            EtcdProxy made = new EtcdProxy(process, URI.create("http://" + address));
            made.awaitListening(port);
            return made;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    private void awaitListening(int port) throws IOException, InterruptedException {
        while (true) {
            try (Socket open = new Socket(InetAddress.getLoopbackAddress(), port)) {
                if (open.isConnected()) {
                    return;
                }
            } catch (IOException notYet) {
                if (process.waitFor(50, TimeUnit.MILLISECONDS)) {
                    throw new IOException("etcd's proxy ended with " + process.exitValue(), notYet);
                }
            }
        }
    }

    URI uri() {
        return uri;
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
