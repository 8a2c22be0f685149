package io.volume4j.examples.etcd;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;

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
            EtcdServer.awaitListening(process, port);
            return new EtcdProxy(process, URI.create("http://" + address));
        } catch (IOException failed) {
            throw new UncheckedIOException("etcd's proxy does not listen", failed);
        }
    }

    URI uri() {
        return uri;
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
