"""Indonesian as Malay would have it, and the other way round, word by word.

The Malay text at hand is messages of programs, the Indonesian much else: what is learnt from these
is menus against stories. When each is written as the other would, what is left to tell them by is
what differs.
"""

import re

# Indonesian and Malay.
_WORDS = """
karena kerana, bahwa bahawa, adalah ialah, bisa boleh, uang wang, mobil kereta, kantor pejabat,
perusahaan syarikat, polisi polis, kamar bilik, saja sahaja, ingin mahu, mau mahu,
sedangkan manakala, pemerintah kerajaan, agustus ogos, desember disember, juni jun, juli julai,
maret mac, senin isnin, minggu ahad, jumat jumaat, fasilitas kemudahan, prioritas keutamaan,
televisi televisyen, stasiun stesen, informasi maklumat, berkas fail, pengaturan tetapan,
tautan pautan, surel e-mel, jaringan rangkaian, peramban pelayar, hapus padam, menghapus memadam,
dihapus dipadam, penghapusan pemadaman, baru baharu, pertanyaan soalan, teman kawan, bicara cakap,
berbicara bercakap, obat ubat, dokter doktor, perawat jururawat, sepatu kasut, celana seluar,
handuk tuala, jendela tingkap, kursi kerusi, lemari almari, tas beg, sepeda basikal,
pesawat kapal terbang, kemarin semalam, besok esok, kapan bila, gratis percuma, sulit sukar,
beda beza, berbeda berbeza, perbedaan perbezaan, resmi rasmi, nasional kebangsaan,
internasional antarabangsa, pelayanan perkhidmatan, layanan perkhidmatan, dukungan sokongan,
mendukung menyokong, didukung disokong, membutuhkan memerlukan, dibutuhkan diperlukan, butuh perlu,
mencoba cuba, coba cuba, menemukan menemui, ditemukan ditemui, kebutuhan keperluan, silakan sila,
liburan cuti, libur cuti, istirahat rehat, karyawan pekerja, pegawai kakitangan, direktur pengarah,
gubernur gabenor, provinsi wilayah, kota bandar, desa kampung, jepang jepun, tiongkok china,
inggris inggeris, prancis perancis, serikat syarikat, listrik elektrik, bensin petrol,
pabrik kilang, toko kedai, pajak cukai, militer tentera, tentara tentera, korban mangsa,
tewas terbunuh, terluka cedera, kecelakaan kemalangan, pertandingan perlawanan, tim pasukan,
pelatih jurulatih, rekor rekod, film filem, musik muzik, sutradara pengarah, koran akhbar,
halaman laman, ilmuwan saintis, penelitian kajian, peneliti penyelidik, telepon telefon,
ponsel telefon, pesan mesej, mengirim menghantar, dikirim dihantar, kirim hantar, paspor pasport,
bus bas, taksi teksi, truk lori, sopir pemandu, berangkat bertolak, dosen pensyarah, siswa pelajar,
rapat mesyuarat, pertemuan perjumpaan, pemilu pilihanraya, partai parti, pengadilan mahkamah,
kasus kes, korupsi rasuah, proyek projek, rencana rancangan, berencana bercadang, yaitu iaitu,
yakni iaitu, meskipun walaupun, saat semasa, ketika semasa, setelah selepas, sesudah selepas,
hingga sehingga, kelinci arnab, bebek itik, semangka tembikai, es ais, kue kek, pria lelaki,
anda awak, kamu awak, apotek farmasi, apakah adakah, daftar senarai, kembali semula,
memperbarui mengemaskini, diperbarui dikemaskini, bergabung menyertai, lanjut lanjutan,
mengunduh memuatturun, kunci kekunci, menyetel menetapkan, layar skrin, tombol butang, pakai guna,
ukuran saiz, bagian bahagian, sebagian sebahagian, nomor nombor, angka nombor, detik saat,
menit minit, tanggal tarikh, usia umur, persen peratus, miliar bilion, triliun trilion,
sembari sambil, kesehatan kesihatan, sehat sihat, ekspor eksport, impor import, standar piawai,
efek kesan, kontrol kawalan, mengontrol mengawal, kelompok kumpulan, grup kumpulan,
kebijakan dasar, bioskop pawagam, apartemen pangsapuri, agen ejen, akun akaun,
kualifikasi kelayakan, detail butiran, rincian butiran, mengandung mengandungi, mengerti faham,
dimengerti difahami, dipahami difahami, paham faham, pikir fikir, berpikir berfikir,
pikiran fikiran, pikirkan fikirkan, kesalahan ralat, galat ralat, izin kebenaran,
mengizinkan membenarkan, diizinkan dibenarkan, mengundang menjemput, diundang dijemput,
undangan jemputan, memungkinkan membolehkan, pembaruan pembaharuan, mengakses mencapai,
polusi pencemaran, kunjungan lawatan, mengunjungi melawat, dikunjungi dilawati, pengunjung pelawat,
wisatawan pelancong, pariwisata pelancongan, wisata pelancongan, ucap ujar, ribuan beribu-ribu,
jutaan berjuta-juta, ratusan beratus-ratus, berbagai pelbagai, terkadang kadangkala,
kadang-kadang kadangkala, langsung terus, tergantung bergantung, rusak rosak, merusak merosakkan,
kerusakan kerosakan, hewan haiwan, binatang haiwan, jamur cendawan, cabai cili, kecap kicap,
saus sos, koki cef, kulkas peti sejuk, setrika seterika, ember baldi, kodok katak, sapi lembu,
domba biri-biri, jenderal jeneral, letnan leftenan, sersan sarjan, keahlian kepakaran, ahli pakar,
pengacara peguam, akuntan akauntan, insinyur jurutera, arsitek arkitek, pengusaha usahawan,
bisnis perniagaan, pasien pesakit, operasi pembedahan, kanker barah, flu selesema, pundak bahu
"""
# Malay words that are Indonesian, too, and mean what they do there.
_BOTH = """
kereta semasa perlu lelaki umur kawan bila guna cuti pelajar pekerja wilayah kampung percuma walaupun
laman semula lanjutan esok semalam kembali saat pasukan awak
"""
_TOKEN = re.compile(r"[a-z]+(?:-[a-z]+)*")


def _pairs() -> list[tuple[str, str]]:
    found = (tuple(pair.split(" ", 1)) for pair in " ".join(_WORDS.split()).split(", "))
    return [(first, second) for first, second in found if first != second]


_AS_MALAY = dict(_pairs())
_AS_INDONESIAN = {malay: own for own, malay in reversed(_pairs()) if malay not in _BOTH.split()}


def as_malay(lines: list[str]) -> list[str]:
    """Return Indonesian lines as Malay would have them."""
    return _changed(lines, _AS_MALAY, "itas", "iti")


def as_indonesian(lines: list[str]) -> list[str]:
    """Return Malay lines as Indonesian would have them."""
    return _changed(lines, _AS_INDONESIAN, "iti", "itas")


def _changed(lines: list[str], words: dict[str, str], ending: str, other: str) -> list[str]:
    def change(found: re.Match[str]) -> str:
        word = found.group()
        if word in words:
            return words[word]
        is_taken = word.endswith(ending) and len(word) > len(ending) + 3
        return word.removesuffix(ending) + other if is_taken else word

    return [_TOKEN.sub(change, line.lower()) for line in lines]
