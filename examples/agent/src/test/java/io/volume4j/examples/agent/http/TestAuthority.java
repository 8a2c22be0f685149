package io.volume4j.examples.agent.http;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;

/** Vouches for servers and clients of a test. Certificates are written by hand (RFC 5280): Java has no public way to make one. */
public final class TestAuthority {
    private static final byte[] ECDSA_SHA256 = oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02);
    private static final byte[] COMMON_NAME = oid(0x55, 0x04, 0x03);
    private static final byte[] CONSTRAINTS = oid(0x55, 0x1d, 0x13);
    private static final byte[] OTHER_NAMES = oid(0x55, 0x1d, 0x11);

    private final String name;
    private final KeyPair keys;
    private final X509Certificate own;
    private int serial = 1;

    /** Who is vouched for, with the key to prove it. */
    public record Issued(X509Certificate certificate, PrivateKey key) {
        String certificatePem() {
            return pem("CERTIFICATE", encoded(certificate));
        }

        String keyPem() {
            return pem("PRIVATE KEY", key.getEncoded());
        }
    }

    public TestAuthority(String name) throws GeneralSecurityException {
        this.name = name;
        keys = ellipticKeys();
        byte[] isAuthority = der(0x30, CONSTRAINTS, der(1, (byte) 0xff), der(4, der(0x30, der(1, (byte) 0xff))));
        own = sign(name, keys, isAuthority);
    }

    static KeyPair ellipticKeys() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        return generator.generateKeyPair();
    }

    public String pem() {
        return pem("CERTIFICATE", encoded(own));
    }

    /** @param address of the server, four bytes */
    public Issued server(int... address) throws GeneralSecurityException {
        byte[] names = der(0x30, OTHER_NAMES, der(4, der(0x30, der(0x87, bytes(address)))));
        KeyPair pair = ellipticKeys();
        return new Issued(sign("server", pair, names), pair.getPrivate());
    }

    Issued client(String common, KeyPair pair) throws GeneralSecurityException {
        byte[] noAuthority = der(0x30, CONSTRAINTS, der(4, der(0x30)));
        return new Issued(sign(common, pair, noAuthority), pair.getPrivate());
    }

    private X509Certificate sign(String common, KeyPair subject, byte[] extension) throws GeneralSecurityException {
        byte[] algorithm = der(0x30, ECDSA_SHA256);
        byte[] always = der(
                0x30,
                der(0x17, "200101000000Z".getBytes(StandardCharsets.US_ASCII)),
                der(0x17, "491231235959Z".getBytes(StandardCharsets.US_ASCII)));
        byte[] body = der(
                0x30,
                der(0xa0, der(2, (byte) 2)),
                der(2, (byte) serial++),
                algorithm,
                distinguished(name),
                always,
                distinguished(common),
                subject.getPublic().getEncoded(),
                der(0xa3, der(0x30, extension)));
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(keys.getPrivate());
        signature.update(body);
        byte[] whole = der(0x30, body, algorithm, der(3, new byte[1], signature.sign()));
        return (X509Certificate)
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(whole));
    }

    private static byte[] distinguished(String common) {
        return der(0x30, der(0x31, der(0x30, COMMON_NAME, der(0x0c, common.getBytes(StandardCharsets.UTF_8)))));
    }

    /** A server that shows its certificate and, if it is to, asks clients for one of this authority's. */
    public HttpsServer serve(Issued server, boolean askingClients) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry("server", server.key(), new char[0], new X509Certificate[] {server.certificate()});
        KeyManagerFactory shown = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        shown.init(store, new char[0]);
        KeyStore believed = KeyStore.getInstance("PKCS12");
        believed.load(null, null);
        believed.setCertificateEntry("authority", own);
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(believed);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(shown.getKeyManagers(), trust.getTrustManagers(), null);
        HttpsServer https = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        https.setHttpsConfigurator(new HttpsConfigurator(context) {
            @Override
            public void configure(HttpsParameters parameters) {
                SSLParameters asked = context.getDefaultSSLParameters();
                asked.setNeedClientAuth(askingClients);
                parameters.setSSLParameters(asked);
            }
        });
        return https;
    }

    static String pem(String label, byte[] der) {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        return "-----BEGIN " + label + "-----\n" + text + "\n-----END " + label + "-----\n";
    }

    private static byte[] encoded(X509Certificate certificate) {
        try {
            return certificate.getEncoded();
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** A value in DER, of less than 64 KiB. */
    static byte[] der(int tag, byte[]... parts) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            content.writeBytes(part);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(tag);
        int length = content.size();
        if (length >= 0x100) {
            out.write(0x82);
            out.write(length >>> 8);
        } else if (length >= 0x80) {
            out.write(0x81);
        }
        out.write(length);
        out.writeBytes(content.toByteArray());
        return out.toByteArray();
    }

    private static byte[] der(int tag, byte only) {
        return der(tag, new byte[] {only});
    }

    private static byte[] oid(int... encoded) {
        return der(6, bytes(encoded));
    }

    private static byte[] bytes(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return bytes;
    }
}
