"""Writers of many languages: sentences that people wrote, each said once, and the words of sites.

The sentences come from a folder of text that is not part of the project (`lid/CODE.train.tsv.gz`
with a source and a text a line, `world/train/CODE.txt.gz` with a sentence a line). Without it, or
for a language that it lacks, the small English grammar of `webs.sentences` speaks.
"""

import gzip
import random
import re
from datetime import date, timedelta
from functools import cache
from pathlib import Path

from izwi.text.quality import count_words
from webs.sentences import Voice

# A sentence has so many words; one of fewer is a title.
_WORDS, _TITLE_WORDS = range(7, 46), range(4, 7)
_WHOLE = re.compile(r"^[\"'“„«¡¿(「]?[^\W\d_a-z][^|{}<>\\]*[.!?।؟…。]$")
# Lines put together from tokens have spaces before their marks.
_TOKENISED = re.compile(r"\s[.,;:!?)]|\( |[a-z]{2}\.[A-Z]|\d\.\d+\.")
# Whoever publishes has a name in letters of the language.
_NAMES = {
    "hin": ("अनिल शर्मा", "सुनीता वर्मा", "राकेश गुप्ता", "मीना जोशी", "विजय कुमार", "कविता सिंह"),
    "ara": ("سامي حداد", "ليلى منصور", "خالد درويش", "نادية سالم", "عمر الشامي", "هدى قاسم"),
    "zul": ("Sipho Dlamini", "Nomusa Zulu", "Bongani Mkhize", "Thandeka Cele", "Mandla Khumalo"),
    "afr": ("Annelie Botha", "Pieter du Toit", "Elmarie Louw", "Kobus Steyn", "Riana Viljoen"),
    "deu": ("Jana Köhler", "Thomas Brandt", "Miriam Vogel", "Uwe Hartmann", "Lena Schäfer"),
    "spa": ("Lucía Moreno", "Javier Ortega", "Marta Gil", "Andrés Peña", "Carmen Rubio"),
    "swa": ("Juma Bakari", "Amina Hassan", "Peter Mwangi", "Neema Kimaro", "Rehema Salim"),
    "fra": ("Claire Moreau", "Étienne Girard", "Sophie Lambert", "Luc Fontaine", "Aïcha Benali"),
    "rus": ("Анна Соколова", "Игорь Мельников", "Вера Лебедева", "Павел Зайцев", "Ольга Крылова"),
    "ell": ("Ελένη Παππά", "Νίκος Δήμου", "Μαρία Κανελλοπούλου", "Γιώργος Σταθάκης"),
    "tur": ("Elif Yılmaz", "Mehmet Aydın", "Zeynep Kaya", "Hakan Demir", "Ayşe Çelik"),
    "tsn": ("Kagiso Molefe", "Boitumelo Seleka", "Thabo Mokgosi", "Lesego Phiri", "Neo Tau"),
    "xho": ("Siyabulela Mqhayi", "Nomvuyo Jack", "Luvuyo Sizani", "Zoleka Mali", "Ayanda Bobo"),
    "jpn": ("佐藤花子", "高橋健", "伊藤由美", "渡辺修", "中村恵"),
    "eng": ("Hannah Price", "Tom Okafor", "Lindiwe Mokoena", "Greg Sutherland", "Priya Naidoo",
            "Callum Reid", "Ruth van Wyk", "Daniel Marsh"),
}  # fmt: skip
_MONTHS = {
    "eng": "January February March April May June July August September October November December",
    "afr": "Januarie Februarie Maart April Mei Junie Julie Augustus September Oktober November Desember",
    "zul": "Januwari Februwari Mashi Ephreli Meyi Juni Julayi Agasti Septhemba Okthoba Novemba Disemba",
    "deu": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "spa": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "swa": "Januari Februari Machi Aprili Mei Juni Julai Agosti Septemba Oktoba Novemba Desemba",
    "hin": "जनवरी फ़रवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर",
    "fra": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "rus": "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
    "ell": "Ιανουαρίου Φεβρουαρίου Μαρτίου Απριλίου Μαΐου Ιουνίου Ιουλίου Αυγούστου Σεπτεμβρίου Οκτωβρίου Νοεμβρίου Δεκεμβρίου",
    "tur": "Ocak Şubat Mart Nisan Mayıs Haziran Temmuz Ağustos Eylül Ekim Kasım Aralık",
    "tsn": "Ferikgong Tlhakole Mopitlwe Moranang Motsheganong Seetebosigo Phukwi Phatwe Lwetse Diphalane Ngwanatsele Sedimonthole",
    "xho": "Januwari Februwari Matshi Epreli Meyi Juni Julayi Agasti Septemba Oktobha Novemba Disemba",
    "jpn": "1月 2月 3月 4月 5月 6月 7月 8月 9月 10月 11月 12月",
    "ara": "يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر",
}
_KEYS = (
    "home", "more", "related", "most_read", "by", "published", "share", "comments", "subscribe",
    "newsletter", "cookies", "accept", "rights", "search", "next", "tags", "contact", "about", "reply",
)  # fmt: skip
_WORDS_OF_SITES = {
    "eng": "Home|Read more|Related stories|Most read|By|Published|Share this|Comments|Subscribe|Get the best of our stories in your inbox every morning.|We and our partners use cookies to store and access information on your device. You can change your choice at any time in the settings.|Accept all|All rights reserved. No part of this site may be reproduced without written permission of the publisher.|Search|Next|Tags|Contact us|About us|Reply",
    "afr": "Tuis|Lees meer|Verwante stories|Mees gelees|Deur|Gepubliseer|Deel hierdie|Kommentaar|Teken in|Kry elke oggend ons beste stories in jou posbus.|Ons en ons vennote gebruik koekies om inligting op jou toestel te stoor. Jy kan jou keuse enige tyd verander.|Aanvaar alles|Alle regte voorbehou. Geen deel van hierdie webwerf mag sonder skriftelike toestemming weergegee word nie.|Soek|Volgende|Merkers|Kontak ons|Oor ons|Antwoord",
    "zul": "Ikhaya|Funda kabanzi|Izindaba ezihlobene|Ezifundwe kakhulu|Ngu|Ishicilelwe|Yabelana|Imibono|Bhalisa|Thola izindaba zethu ezinhle kakhulu njalo ekuseni.|Thina nabalingani bethu sisebenzisa amakhukhi ukugcina ulwazi kudivayisi yakho.|Yamukela konke|Wonke amalungelo agodliwe.|Sesha|Okulandelayo|Amathegi|Xhumana nathi|Mayelana nathi|Phendula",
    "deu": "Startseite|Weiterlesen|Verwandte Artikel|Meistgelesen|Von|Veröffentlicht|Teilen|Kommentare|Abonnieren|Jeden Morgen die besten Geschichten in Ihrem Postfach.|Wir und unsere Partner verwenden Cookies, um Informationen auf Ihrem Gerät zu speichern. Sie können Ihre Auswahl jederzeit ändern.|Alle akzeptieren|Alle Rechte vorbehalten. Nachdruck nur mit schriftlicher Genehmigung des Verlags.|Suche|Weiter|Schlagwörter|Kontakt|Über uns|Antworten",
    "spa": "Inicio|Leer más|Noticias relacionadas|Lo más leído|Por|Publicado|Compartir|Comentarios|Suscribirse|Recibe cada mañana nuestras mejores historias en tu correo.|Nosotros y nuestros socios utilizamos cookies para almacenar información en tu dispositivo. Puedes cambiar tu elección en cualquier momento.|Aceptar todo|Todos los derechos reservados. Prohibida la reproducción total o parcial sin permiso escrito.|Buscar|Siguiente|Etiquetas|Contacto|Quiénes somos|Responder",
    "swa": "Nyumbani|Soma zaidi|Habari zinazohusiana|Zilizosomwa zaidi|Na|Imechapishwa|Shiriki|Maoni|Jiandikishe|Pata habari zetu bora kila asubuhi kwa barua pepe.|Sisi na washirika wetu tunatumia vidakuzi kuhifadhi taarifa kwenye kifaa chako.|Kubali zote|Haki zote zimehifadhiwa.|Tafuta|Inayofuata|Vitambulisho|Wasiliana nasi|Kuhusu sisi|Jibu",
    "hin": "होम|और पढ़ें|संबंधित खबरें|सबसे ज्यादा पढ़ी गई|लेखक|प्रकाशित|साझा करें|टिप्पणियाँ|सदस्यता लें|हर सुबह हमारी बेहतरीन खबरें अपने इनबॉक्स में पाएं।|हम और हमारे साझेदार आपके डिवाइस पर जानकारी रखने के लिए कुकीज़ का उपयोग करते हैं।|सभी स्वीकार करें|सर्वाधिकार सुरक्षित।|खोजें|अगला|टैग|संपर्क करें|हमारे बारे में|जवाब दें",
    "fra": "Accueil|Lire la suite|À lire aussi|Les plus lus|Par|Publié le|Partager|Commentaires|S'abonner|Recevez chaque matin nos meilleurs articles dans votre boîte.|Nous et nos partenaires utilisons des cookies pour stocker des informations sur votre appareil. Vous pouvez changer d'avis à tout moment.|Tout accepter|Tous droits réservés. Toute reproduction est soumise à autorisation.|Rechercher|Suivant|Mots-clés|Contact|À propos|Répondre",
    "rus": "Главная|Читать далее|Читайте также|Самое популярное|Автор|Опубликовано|Поделиться|Комментарии|Подписаться|Получайте каждое утро наши лучшие материалы по почте.|Мы и наши партнёры используем файлы cookie, чтобы хранить сведения на вашем устройстве.|Принять все|Все права защищены. Перепечатка только с письменного разрешения.|Поиск|Вперёд|Метки|Контакты|О нас|Ответить",
    "ell": "Αρχική|Διαβάστε περισσότερα|Σχετικά άρθρα|Δημοφιλή|Του|Δημοσιεύτηκε|Κοινοποίηση|Σχόλια|Εγγραφή|Λάβετε κάθε πρωί τα καλύτερα άρθρα μας στο ταχυδρομείο σας.|Εμείς και οι συνεργάτες μας χρησιμοποιούμε cookies για να αποθηκεύουμε πληροφορίες στη συσκευή σας.|Αποδοχή όλων|Με την επιφύλαξη κάθε δικαιώματος.|Αναζήτηση|Επόμενο|Ετικέτες|Επικοινωνία|Σχετικά με εμάς|Απάντηση",
    "tur": "Ana sayfa|Devamını oku|İlgili haberler|En çok okunanlar|Yazan|Yayımlandı|Paylaş|Yorumlar|Abone ol|Her sabah en iyi yazılarımızı posta kutunuzda bulun.|Biz ve ortaklarımız cihazınızda bilgi saklamak için çerezler kullanıyoruz.|Tümünü kabul et|Tüm hakları saklıdır.|Ara|Sonraki|Etiketler|İletişim|Hakkımızda|Yanıtla",
    "tsn": "Gae|Bala go le gontsi|Dikgang tse di amanang|Tse di balwang thata|Ka|E phasaladitswe|Abelana|Ditshwaelo|Ikwadise|Bona dikgang tsa rona tse di gaisang moso mongwe le mongwe.|Rona le balekane ba rona re dirisa dikhukhi go boloka tshedimosetso mo sedirisweng sa gago.|Amogela tsotlhe|Ditshwanelo tsotlhe di sireleditswe.|Batla|E e latelang|Ditlhogo|Ikgolaganye le rona|Ka ga rona|Araba",
    "xho": "Ikhaya|Funda okungakumbi|Amabali ahambelanayo|Afundwe kakhulu|Ngu|Lipapashwe|Yabelana|Izimvo|Bhalisa|Fumana awona mabali ethu qho kusasa.|Thina neqabane lethu sisebenzisa iikhukhi ukugcina ulwazi kwisixhobo sakho.|Yamkela konke|Onke amalungelo agciniwe.|Khangela|Okulandelayo|Iithegi|Qhagamshelana nathi|Malunga nathi|Phendula",
    "jpn": "ホーム|続きを読む|関連記事|よく読まれている記事|文|公開日|共有|コメント|購読する|毎朝おすすめの記事をメールでお届けします。|当サイトと提携先は、端末に情報を保存するためにクッキーを使用しています。設定はいつでも変更できます。|すべて許可|無断転載を禁じます。|検索|次へ|タグ|お問い合わせ|私たちについて|返信",
    "ara": "الرئيسية|اقرأ المزيد|أخبار ذات صلة|الأكثر قراءة|بقلم|نُشر في|شارك|التعليقات|اشترك|احصل على أفضل قصصنا كل صباح في بريدك.|نستخدم نحن وشركاؤنا ملفات تعريف الارتباط لتخزين المعلومات على جهازك.|قبول الكل|جميع الحقوق محفوظة.|بحث|التالي|وسوم|اتصل بنا|من نحن|رد",
}
_OF = {
    "spa": "{day} de {month} de {year}", "deu": "{day}. {month} {year}", "jpn": "{year}年{month}{day}日",
    "rus": "{day} {month} {year} г.",
}  # fmt: skip
# What pages say of their language.
TWO_LETTERS = {
    "eng": "en", "afr": "af", "zul": "zu", "deu": "de", "spa": "es", "swa": "sw", "hin": "hi", "ara": "ar",
    "fra": "fr", "rus": "ru", "ell": "el", "tur": "tr", "tsn": "tn", "xho": "xh", "jpn": "ja",
}  # fmt: skip


@cache
def lines(data: Path | None, code: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the sentences and the titles that a folder has in a language, in an order of chance."""
    found: dict[str, None] = {}
    if data is not None:
        plain, sourced = data / f"world/train/{code}.txt.gz", data / f"lid/{code}.train.tsv.gz"
        for path in (sourced, plain):
            if path.exists():
                with gzip.open(path, "rt", encoding="utf-8") as file:
                    found |= dict.fromkeys(line.rpartition("\t")[2].strip() for line in file)
    whole = [each for each in found if _WHOLE.match(each) and not _TOKENISED.search(each)]
    random.Random(code).shuffle(whole)
    said = tuple(each for each in whole if count_words(each) in _WORDS)
    heads = tuple(each.rstrip(".।。") for each in whole if count_words(each) in _TITLE_WORDS)
    return said, heads


class Speaker(Voice):
    """A writer of one language who never says the same twice."""

    def __init__(
        self, seed: str, code: str = "eng", data: Path | None = None, part: int = 0
    ) -> None:
        """Take a part of what the folder has, as others write in the language, too."""
        super().__init__(seed)
        self.seed = seed
        said, heads = lines(data, code)
        self.code, self.data, self.part = code if said else "eng", data, part
        self.parts = max(1, len(said) // 850)
        self._said = iter(said[part % self.parts :: self.parts])
        self._heads = iter(heads[part % self.parts :: self.parts])
        self.words = dict(zip(_KEYS, _WORDS_OF_SITES[self.code].split("|"), strict=True))

    @property
    def language(self) -> str:
        """What pages say of their language."""
        return TWO_LETTERS[self.code]

    def sentence(self) -> str:
        """Return a sentence that was not said before."""
        return next(self._said, "") or super().sentence()

    def title(self) -> str:
        """Return a headline."""
        head = next(self._heads, "")
        if not head:
            words = self.sentence().rstrip(".!?।؟").split()
            head = " ".join(words[: self.chance.randint(5, 9)]).rstrip(",;:")
        return head

    def writer(self) -> str:
        """Return who wrote something."""
        return self.any(_NAMES[self.code])

    def said_on(self, day: date) -> str:
        """Return a day as readers see it."""
        form = _OF.get(self.code, "{day} {month} {year}")
        month = _MONTHS[self.code].split()[day.month - 1]
        return form.format(day=day.day, month=month, year=day.year)

    def day(self) -> date:
        """Return a day of some years."""
        return date(2019, 1, 5) + timedelta(days=self.chance.randint(0, 1_900))
